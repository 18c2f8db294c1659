/** The switch between light and dark theme. */
import { byId } from "./dom.js";
import type { State } from "./state.js";

const key = "cl-report-theme";

/** Applies the stored theme, or the system's theme until the switch is used. */
export function useTheme(state: State): void {
  const toggle = byId("theme", HTMLButtonElement);
  const system = matchMedia("(prefers-color-scheme: dark)");
  let choice = stored();
  const apply = (): void => {
    const dark = choice === undefined ? system.matches : choice === "dark";
    document.documentElement.dataset["theme"] = dark ? "dark" : "light";
    toggle.setAttribute("aria-checked", String(dark));
    state.notify("theme");
  };
  system.addEventListener("change", apply);
  toggle.addEventListener("click", () => {
    choice = document.documentElement.dataset["theme"] === "dark" ? "light" : "dark";
    try {
      localStorage.setItem(key, choice);
    } catch {
      // Pages opened from files may have no storage: the choice is not remembered.
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
