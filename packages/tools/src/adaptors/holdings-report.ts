/** Formats leak reports. */
import { formatTime } from "@cl/base/units";

import type { Holding } from "./track-adaptor.js";

/** Lists the outstanding allocations by call stack, in descending order of bytes. */
export function holdingsReport(holdings: readonly Holding[]): string {
  if (holdings.length === 0) return "nothing is outstanding";
  const groups = new Map<string, Holding[]>();
  for (const holding of holdings) {
    const group = groups.get(holding.stack);
    if (group === undefined) groups.set(holding.stack, [holding]);
    else group.push(holding);
  }
  const sorted = [...groups].toSorted(([, a], [, b]) => bytesOf(b) - bytesOf(a));
  return [`outstanding: ${amount(holdings)}`, ...sorted.map(([stack, group]) => groupText(stack, group))].join("\n");
}

function groupText(stack: string, group: readonly Holding[]): string {
  const ages = group.map(({ age }) => age);
  const [youngest, oldest] = [Math.min(...ages), Math.max(...ages)].map((ms) => formatTime(1e6 * ms));
  const age = group.length === 1 ? `${oldest} old` : `${youngest} to ${oldest} old`;
  const names = [...new Set(group.flatMap(({ label }) => (label === undefined ? [] : [JSON.stringify(label)])))];
  const labels = names.length === 0 ? "" : `, ${names.slice(0, 5).join(", ")}${names.length > 5 ? " and others" : ""}`;
  const place = stack === "" ? [] : stack.split("\n").map((line) => `    ${line}`);
  return [`  ${amount(group)}, ${age}${labels}`, ...place].join("\n");
}

function amount(holdings: readonly Holding[]): string {
  return `${bytesOf(holdings)} bytes in ${holdings.length} allocation${holdings.length === 1 ? "" : "s"}`;
}

function bytesOf(holdings: readonly Holding[]): number {
  return holdings.reduce((sum, { size }) => sum + size, 0);
}
