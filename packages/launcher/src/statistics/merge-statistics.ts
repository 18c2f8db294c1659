import { checkObject, checkString, typeError } from "@cl/base";
import { mergeTimeStatistics } from "@cl/core";

import type { LauncherSnapshot } from "./launcher-statistics.js";

/**
 * Merges the statistics of several launchers, queues, threads or runs. The result is exact, except for rounding of the standard
 * deviation and an error of 1 % in quantiles. Launchers of the same name and kind are merged, and so are their members.
 * Different launchers become members of a list without a name. The order does not matter.
 *
 * @example
 * ```ts
 * const fill = new FillLauncher("clear", { target: u, pattern: 0 });
 * const first = fill.statistics.drain();
 * const merged = mergeStatistics(first, fill.statistics.drain());
 * console.log(merged.name, merged.count); // clear 0
 * ```
 */
export function mergeStatistics(...snapshots: readonly LauncherSnapshot[]): LauncherSnapshot {
  for (const [i, snapshot] of snapshots.entries()) checkSnapshot(snapshot, `snapshots[${i}]`);
  return mergeAll(snapshots);
}

function mergeAll(snapshots: readonly LauncherSnapshot[]): LauncherSnapshot {
  const groups = new Map<string, LauncherSnapshot[]>();
  for (const snapshot of snapshots.flatMap((snapshot) =>
    isNameless(snapshot) ? (snapshot.members ?? []) : [snapshot],
  )) {
    const key = `${snapshot.kind}\0${snapshot.name}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [snapshot]);
    else group.push(snapshot);
  }
  const members = Array.from(groups.values(), mergeGroup);
  const [only] = members;
  if (only !== undefined && members.length === 1) return only;
  return { name: "", kind: "list", ...mergeTimeStatistics(...members), members };
}

function isNameless({ name, kind }: LauncherSnapshot): boolean {
  return name === "" && kind === "list";
}

/** Merges statistics of the same name and kind. */
function mergeGroup(group: readonly LauncherSnapshot[]): LauncherSnapshot {
  const { name, kind } = group[0] as LauncherSnapshot;
  const times = mergeTimeStatistics(...group);
  if (kind !== "list") return { name, kind, ...times };
  const inner = mergeAll(group.flatMap(({ members = [] }) => members));
  return { name, kind, ...times, members: isNameless(inner) ? (inner.members ?? []) : [inner] };
}

function checkSnapshot(value: LauncherSnapshot, argument: string): void {
  if (value === undefined) throw typeError(argument, "statistics of snapshot()", value);
  const { name, kind, members } = checkObject(value, argument);
  checkString(name, `${argument}.name`);
  checkString(kind, `${argument}.kind`);
  for (const [i, member] of (members ?? []).entries()) checkSnapshot(member, `${argument}.members[${i}]`);
}
