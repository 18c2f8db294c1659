/** The switch between light and dark. */
import { byId } from "./dom.js";
import type { State } from "./state.js";

const key = "cl-report-theme";

/** Begins with what was chosen before, or the system's theme, which is followed until the switch is used. */
export function useTheme(state: State): void {
  const toggle = byId("theme", HTMLButtonElement);
  const system = matchMedia("(prefers-color-scheme: dark)");
  let chosen = stored();
  const apply = (): void => {
    const dark = chosen === undefined ? system.matches : chosen === "dark";
    document.documentElement.dataset["theme"] = dark ? "dark" : "light";
    toggle.setAttribute("aria-checked", String(dark));
    state.tell("theme");
  };
  system.addEventListener("change", apply);
  toggle.addEventListener("click", () => {
    chosen = document.documentElement.dataset["theme"] === "dark" ? "light" : "dark";
    try {
      localStorage.setItem(key, chosen);
    } catch {
      // A page from a file may have no storage. Then it is chosen for this time only.
    }
    apply();
  });
  apply();
}

function stored(): "light" | "dark" | undefined {
  try {
    const value = localStorage.getItem(key);
    return value === "light" || value === "dark" ? value : undefined;
  } catch {
    return undefined;
  }
}
