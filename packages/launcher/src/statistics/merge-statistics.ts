import { checkObject, checkString, typeError } from "@cl/base";
import { mergeTimeStatistics } from "@cl/core";

import type { LauncherSnapshot } from "./launcher-statistics.js";

/**
 * The statistics of several launchers, queues, threads or runs together, as if all had been counted in one place: exact but
 * for rounding in the standard deviation, and quantiles to 1 %. Those of one name and kind become one, and so do their
 * members; where there are several, they are the members of a list without a name. Neither order nor grouping matters.
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
  for (const [i, one] of snapshots.entries()) checkSnapshot(one, `snapshots[${i}]`);
  return merged(snapshots);
}

function merged(snapshots: readonly LauncherSnapshot[]): LauncherSnapshot {
  const groups = new Map<string, LauncherSnapshot[]>();
  for (const one of snapshots.flatMap((snapshot) => (isNameless(snapshot) ? (snapshot.members ?? []) : [snapshot]))) {
    const key = `${one.kind}\0${one.name}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  const members = Array.from(groups.values(), ofOne);
  const [only] = members;
  if (only !== undefined && members.length === 1) return only;
  return { name: "", kind: "list", ...mergeTimeStatistics(...members), members };
}

function isNameless({ name, kind }: LauncherSnapshot): boolean {
  return name === "" && kind === "list";
}

/** All of one name and kind. */
function ofOne(group: readonly LauncherSnapshot[]): LauncherSnapshot {
  const { name, kind } = group[0] as LauncherSnapshot;
  const times = mergeTimeStatistics(...group);
  if (kind !== "list") return { name, kind, ...times };
  const inner = merged(group.flatMap(({ members = [] }) => members));
  return { name, kind, ...times, members: isNameless(inner) ? (inner.members ?? []) : [inner] };
}

function checkSnapshot(value: LauncherSnapshot, words: string): void {
  if (value === undefined) throw typeError(words, "statistics, as snapshot() gives them", value);
  const { name, kind, members } = checkObject(value, words);
  checkString(name, `${words}.name`);
  checkString(kind, `${words}.kind`);
  for (const [i, member] of (members ?? []).entries()) checkSnapshot(member, `${words}.members[${i}]`);
}
