/** Builds a tree of lists and launchers from a profiler's statistics. */
import { type CommandStatistics, mergeTimeStatistics, type TimeStatistics } from "@cl/core";

import type { CommandKind } from "@cl/trace";
import type { LauncherSnapshot } from "./launcher-statistics.js";

/** Statistics of one launcher. */
export interface ProfiledCommands {
  readonly name: string;
  readonly kind: CommandKind;
  /** Enclosing lists, outermost first. */
  readonly lists: readonly string[];
  readonly commands: CommandStatistics;
}

interface Branch {
  readonly lists: Map<string, Branch>;
  /** Launchers and names of lists, in order of first appearance. */
  readonly order: (LauncherSnapshot | string)[];
}

/** Returns the tree as a list without a name. */
export function snapshotTree(
  all: Iterable<ProfiledCommands>,
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
  const members = order.map((entry) => (typeof entry === "string" ? listOf(entry, lists.get(entry) as Branch) : entry));
  return { name, kind: "list", ...mergeTimeStatistics(...members), members };
}
