/** The details panel of the selected command, and the tooltip. */
import { formatTime } from "@cl/base/units";
import { groupColor } from "./colors.js";
import { button, byId, element } from "./dom.js";
import { factsOf, nameIn, nameOf } from "./facts.js";
import { reveal, selectNext } from "./keyboard.js";
import type { State } from "./state.js";
import type { Hit } from "./timeline.js";

/** Updates the panel. `announce` notifies screen readers. */
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
    announce(announcementOf(state, state.selected));
  });
}

/** Returns a function that shows the tooltip for the item under the pointer. */
export function showTip(state: State): (hit: Hit | undefined, x: number, y: number) => void {
  const tooltip = byId("tip", HTMLElement);
  return (hit, x, y) => {
    const row = hit === undefined ? undefined : state.data.rows[hit.row];
    if (hit === undefined || row === undefined || hit.index < 0) {
      tooltip.hidden = true;
      return;
    }
    const id = row.ids[hit.index] as number;
    const length = formatTime((row.ended[hit.index] as number) - (row.started[hit.index] as number));
    const name = nameIn(state, row, hit.index);
    const failed = (row.kind === "command" ? state.data.commands.failed : state.data.failedSpans).get(id);
    const launcher = row.kind === "command" ? launcherOf(state, id) : undefined;
    tooltip.replaceChildren(
      element("strong", {}, name),
      element("span", {}, length),
      ...(launcher === undefined || launcher === name ? [] : [element("span", { class: "muted" }, launcher)]),
      ...(failed === undefined ? [] : [element("span", { class: "failed" }, failed)]),
    );
    tooltip.hidden = false;
    const left = Math.min(x + 14, document.documentElement.clientWidth - tooltip.offsetWidth - 8);
    const top =
      y + 18 + tooltip.offsetHeight > document.documentElement.clientHeight ? y - 12 - tooltip.offsetHeight : y + 18;
    tooltip.style.transform = `translate(${Math.max(8, left)}px, ${top}px)`;
  };
}

function contentOf(state: State, id: number): Node[] {
  const { commands } = state.data;
  const group = state.groupOf(id);
  const swatch = element("span", { class: "swatch", "aria-hidden": "true" });
  swatch.style.background = groupColor(group);
  const list = element("dl", {});
  for (const [name, value] of factsOf(state, id)) {
    list.append(element("dt", {}, name), element("dd", name === "failed" ? { class: "failed" } : {}, value));
  }
  const { started, ended } = commands;
  const zoom = (): void => {
    const length = Math.max(10, (ended[id] as number) - (started[id] as number));
    state.show({ from: (started[id] as number) - length, to: (ended[id] as number) + length }, true);
  };
  return [
    element("h3", {}, swatch, nameOf(state, id)),
    element(
      "div",
      { class: "buttons" },
      button("Previous", () => selectNext(state, -1)),
      button("Next", () => selectNext(state, 1)),
      button("Zoom to command", zoom),
      button("Select kernel", () => state.choose(group)),
    ),
    list,
    ...others(state, "Waited for", commands.waitsFor.get(id)),
    ...others(state, "Awaited by", commands.waitedBy.get(id)),
  ];
}

const maxOthers = 50;

function others(state: State, title: string, ids: readonly number[] | undefined): Node[] {
  if (ids === undefined || ids.length === 0) return [];
  const items = ids.slice(0, maxOthers).map((id) =>
    element(
      "li",
      {},
      button(nameOf(state, id), () => reveal(state, id), { class: "link" }),
    ),
  );
  if (ids.length > maxOthers) items.push(element("li", {}, `and ${ids.length - maxOthers} more`));
  return [element("h4", {}, title), element("ul", { class: "others" }, ...items)];
}

function announcementOf(state: State, id: number): string {
  const facts = factsOf(state, id).filter(([name]) => ["failed", "duration", "started", "queue"].includes(name));
  return `${nameOf(state, id)}: ${facts.map(([name, value]) => `${name} ${value}`).join(", ")}`;
}

function launcherOf({ data }: State, id: number): string | undefined {
  return data.commands.forms[data.commands.form[id] as number]?.launcher;
}
