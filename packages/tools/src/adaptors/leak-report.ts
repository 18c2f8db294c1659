/** Formats leak reports. */
import { formatTime } from "@cl/base/units";

import type { OutstandingAllocation } from "./track-adaptor.js";

/** Lists the outstanding allocations by call stack, in descending order of bytes. */
export function leakReport(allocations: readonly OutstandingAllocation[]): string {
  if (allocations.length === 0) return "nothing is outstanding";
  const groups = new Map<string, OutstandingAllocation[]>();
  for (const allocation of allocations) {
    const group = groups.get(allocation.stack);
    if (group === undefined) groups.set(allocation.stack, [allocation]);
    else group.push(allocation);
  }
  const sorted = [...groups].toSorted(([, a], [, b]) => bytesOf(b) - bytesOf(a));
  return [`outstanding: ${amount(allocations)}`, ...sorted.map(([stack, group]) => groupText(stack, group))].join("\n");
}

function groupText(stack: string, group: readonly OutstandingAllocation[]): string {
  const ages = group.map(({ age }) => age);
  const [youngest, oldest] = [Math.min(...ages), Math.max(...ages)].map((ms) => formatTime(1e6 * ms));
  const age = group.length === 1 ? `${oldest} old` : `${youngest} to ${oldest} old`;
  const names = [...new Set(group.flatMap(({ label }) => (label === undefined ? [] : [JSON.stringify(label)])))];
  const labels = names.length === 0 ? "" : `, ${names.slice(0, 5).join(", ")}${names.length > 5 ? " and others" : ""}`;
  const place = stack === "" ? [] : stack.split("\n").map((line) => `    ${line}`);
  return [`  ${amount(group)}, ${age}${labels}`, ...place].join("\n");
}

function amount(allocations: readonly OutstandingAllocation[]): string {
  return `${bytesOf(allocations)} bytes in ${allocations.length} allocation${allocations.length === 1 ? "" : "s"}`;
}

function bytesOf(allocations: readonly OutstandingAllocation[]): number {
  return allocations.reduce((sum, { size }) => sum + size, 0);
}
