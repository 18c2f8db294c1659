/** The panel about the selected command, and the tip at the pointer. */
import { formatTime } from "@cl/base/units";
import { groupColor } from "./colors.js";
import { button, byId, element } from "./dom.js";
import { factsOf, nameIn, nameOf } from "./facts.js";
import { reveal, selectNext } from "./keyboard.js";
import type { State } from "./state.js";
import type { Hit } from "./timeline.js";

/** Keeps the panel right. `announce` is heard by those who do not see it. */
export function showDetails(state: State, announce: (text: string) => void): void {
  const panel = byId("details", HTMLElement);
  const hint = Array.from(panel.childNodes);
  state.listen((change) => {
    if (change !== "selected") return;
    if (state.selected < 0) {
      panel.replaceChildren(...hint);
      return;
    }
    panel.replaceChildren(...contentOf(state, state.selected));
    announce(wordsOf(state, state.selected));
  });
}

/** Shows the tip for what the pointer is on. */
export function showTip(state: State): (hit: Hit | undefined, x: number, y: number) => void {
  const tip = byId("tip", HTMLElement);
  return (hit, x, y) => {
    const row = hit === undefined ? undefined : state.data.rows[hit.row];
    if (hit === undefined || row === undefined || hit.index < 0) {
      tip.hidden = true;
      return;
    }
    const place = row.places[hit.index] as number;
    const length = formatTime((row.ended[hit.index] as number) - (row.started[hit.index] as number));
    const name = nameIn(state, row, hit.index);
    const failed = row.kind === "command" ? state.data.commands.failed.get(place) : undefined;
    const launcher = row.kind === "command" ? launcherOf(state, place) : undefined;
    tip.replaceChildren(
      element("strong", {}, name),
      element("span", {}, length),
      ...(launcher === undefined || launcher === name ? [] : [element("span", { class: "muted" }, launcher)]),
      ...(failed === undefined ? [] : [element("span", { class: "failed" }, failed)]),
    );
    tip.hidden = false;
    const left = Math.min(x + 14, document.documentElement.clientWidth - tip.offsetWidth - 8);
    const top = y + 18 + tip.offsetHeight > document.documentElement.clientHeight ? y - 12 - tip.offsetHeight : y + 18;
    tip.style.transform = `translate(${Math.max(8, left)}px, ${top}px)`;
  };
}

function contentOf(state: State, place: number): Node[] {
  const { commands } = state.data;
  const group = state.groupOf(place);
  const swatch = element("span", { class: "swatch", "aria-hidden": "true" });
  swatch.style.background = groupColor(group);
  const list = element("dl", {});
  for (const [name, value] of factsOf(state, place)) {
    list.append(element("dt", {}, name), element("dd", name === "failed" ? { class: "failed" } : {}, value));
  }
  const { started, ended } = commands;
  const zoom = (): void => {
    const length = Math.max(10, (ended[place] as number) - (started[place] as number));
    state.show({ from: (started[place] as number) - length, to: (ended[place] as number) + length }, true);
  };
  return [
    element("h3", {}, swatch, nameOf(state, place)),
    element(
      "div",
      { class: "buttons" },
      button("Previous", () => selectNext(state, -1)),
      button("Next", () => selectNext(state, 1)),
      button("Zoom to it", zoom),
      button("This kernel", () => state.choose(group)),
    ),
    list,
    ...others(state, "Waited for", commands.waitsFor.get(place)),
    ...others(state, "Waited for by", commands.waitedBy.get(place)),
  ];
}

const mostOthers = 50;

function others(state: State, title: string, places: readonly number[] | undefined): Node[] {
  if (places === undefined || places.length === 0) return [];
  const items = places.slice(0, mostOthers).map((place) =>
    element(
      "li",
      {},
      button(nameOf(state, place), () => reveal(state, place), { class: "link" }),
    ),
  );
  if (places.length > mostOthers) items.push(element("li", {}, `and ${places.length - mostOthers} more`));
  return [element("h4", {}, title), element("ul", { class: "others" }, ...items)];
}

function wordsOf(state: State, place: number): string {
  const said = factsOf(state, place).filter(([name]) => ["failed", "duration", "started", "queue"].includes(name));
  return `${nameOf(state, place)}: ${said.map(([name, value]) => `${name} ${value}`).join(", ")}`;
}

function launcherOf({ data }: State, place: number): string | undefined {
  return data.commands.forms[data.commands.form[place] as number]?.launcher;
}
