/** The list of kernels with their shares of time. Choosing a kernel highlights it on the page. */
import { numberIn, totalsOf } from "../../table/columns.js";
import { formatCount, formatShare, formatTime } from "@cl/base/units";
import { groupColor } from "./colors.js";
import { button, byId, element } from "./dom.js";
import type { State } from "./state.js";

/** Fills the list. */
export function showKernels(state: State): void {
  const list = byId("kernel-list", HTMLElement);
  const { groups } = state.data;
  const totals = totalsOf(groups.flatMap(({ row }) => (row === undefined ? [] : [row])));
  const items = groups.map(({ label, row }, group) => {
    const bar = element("span", { class: "bar", "aria-hidden": "true" });
    const share = row === undefined ? 0 : numberIn(row, "share", totals) || 0;
    bar.style.setProperty("--share", String(share));
    bar.style.setProperty("--color", groupColor(group));
    const numbers =
      row === undefined ? "" : `${formatShare(share)} · ${formatTime(row.total)} · ${formatCount(row.count)} ×`;
    const choose = button("", () => state.choose(state.group === group ? -1 : group), { "aria-pressed": "false" });
    choose.append(element("span", { class: "name" }, label), element("span", { class: "numbers" }, numbers), bar);
    return element("li", {}, choose);
  });
  list.replaceChildren(...items);
  state.listen((change) => {
    if (change === "group") {
      for (const [group, item] of items.entries()) {
        item.firstElementChild?.setAttribute("aria-pressed", String(group === state.group));
      }
    }
    if (change === "filter") {
      for (const [group, item] of items.entries()) {
        item.hidden = !(groups[group]?.label.toLowerCase().includes(state.filter) ?? false);
      }
    }
  });
  const input = byId("filter", HTMLInputElement);
  input.addEventListener("input", () => state.setFilter(input.value));
}
