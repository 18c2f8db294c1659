/** What a profiler has counted, as the lists and launchers that it was counted for. */
import { type CommandStatistics, mergeTimeStatistics, type TimeStatistics } from "@cl/core";

import type { CommandKind } from "../report/trace.js";
import type { LauncherSnapshot } from "./launcher-statistics.js";

/** What is counted under one name. */
export interface Counted {
  readonly name: string;
  readonly kind: CommandKind;
  /** The lists that it came through, the outermost first. */
  readonly lists: readonly string[];
  readonly commands: CommandStatistics;
}

interface Branch {
  readonly lists: Map<string, Branch>;
  /** In the order in which they came; a list has its place where its first member came. */
  readonly order: (LauncherSnapshot | string)[];
}

/** The whole, a list without a name. */
export function snapshotTree(
  all: Iterable<Counted>,
  read: (commands: CommandStatistics) => TimeStatistics,
): LauncherSnapshot {
  const root: Branch = { lists: new Map(), order: [] };
  for (const { name, kind, lists, commands } of all) {
    let branch = root;
    for (const list of lists) branch = branchOf(branch, list);
    branch.order.push({ name, kind, ...read(commands) });
  }
  return listOf("", root);
}

function branchOf(parent: Branch, name: string): Branch {
  let branch = parent.lists.get(name);
  if (branch === undefined) {
    branch = { lists: new Map(), order: [] };
    parent.lists.set(name, branch);
    parent.order.push(name);
  }
  return branch;
}

function listOf(name: string, { lists, order }: Branch): LauncherSnapshot {
  const members = order.map((one) => (typeof one === "string" ? listOf(one, lists.get(one) as Branch) : one));
  return { name, kind: "list", ...mergeTimeStatistics(...members), members };
}
