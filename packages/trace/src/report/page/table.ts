/** Makes the statistics table of the markup sortable, and its rows selectable. */
import { isNumberColumn, numberIn, rowLabel, sortRows, type StatisticsColumn, totalsOf } from "../../table/columns.js";
import { groupKey } from "../page-data.js";
import type { StatisticsRow } from "../../model/statistics-row.js";
import { byId } from "./dom.js";
import type { State } from "./state.js";

type Direction = "ascending" | "descending";

/** Handles sorting and selecting. */
export function showTable(state: State, rows: readonly StatisticsRow[], announce: (text: string) => void): void {
  const table = byId("statistics", HTMLTableElement);
  const body = table.tBodies[0] as HTMLTableSectionElement;
  const lines = new Map(Array.from(body.rows, (line) => [rows[Number(line.dataset["row"])] as StatisticsRow, line]));
  const groups = new Map(state.data.groups.map(({ key }, group) => [key, group]));
  const totals = totalsOf(rows);
  const shares = rows.map((row) => numberIn(row, "share", totals) || 0);
  const maxShare = shares.reduce((highest, share) => Math.max(highest, share), 0);

  const sort = (head: HTMLTableCellElement): void => {
    const column = head.dataset["column"] as StatisticsColumn;
    const initial: Direction = isNumberColumn(column) ? "descending" : "ascending";
    const other: Direction = initial === "ascending" ? "descending" : "ascending";
    const direction = head.getAttribute("aria-sort") === initial ? other : initial;
    for (const cell of table.querySelectorAll("th[aria-sort]")) cell.setAttribute("aria-sort", "none");
    head.setAttribute("aria-sort", direction);
    body.append(...sortRows(rows, column, direction).map((row) => lines.get(row) as HTMLTableRowElement));
    announce(`sorted by ${column}, ${direction}`);
  };
  for (const head of table.querySelectorAll<HTMLTableCellElement>("th[data-column]")) {
    head.querySelector("button")?.addEventListener("click", () => sort(head));
  }
  for (const [row, line] of lines) {
    const group = groups.get(groupKey(row)) ?? -1;
    line.querySelector("button")?.addEventListener("click", () => state.choose(state.group === group ? -1 : group));
    // Relative to the largest share, so that small shares can be distinguished.
    const share = maxShare > 0 ? (shares[rows.indexOf(row)] as number) / maxShare : 0;
    line.querySelector<HTMLElement>(".share")?.style.setProperty("--share", String(share));
    state.listen((change) => {
      if (change === "group") line.classList.toggle("chosen", group >= 0 && group === state.group);
      if (change === "filter") line.hidden = !rowLabel(row).toLowerCase().includes(state.filter);
    });
  }
}
