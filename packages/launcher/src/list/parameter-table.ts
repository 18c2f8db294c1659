import { checkOptions, wrongState } from "@cl/base";
import type { CommandEvent, CommandQueue } from "@cl/core";

import type { Launcher, LauncherEnqueueOptions } from "../launcher.js";
import type { ParameterValues } from "../parameters/parameter-union.js";
import { announce, isTraced } from "../statistics/announce.js";
import { waitList } from "../wait-list.js";
import type { ListMember } from "./list-member.js";

/**
 * The parameters of a list as one array of numbers. Writing the values there and launching is the fastest way to pass new
 * numbers to a list. Created by `ListLauncher.parameterTable`.
 *
 * @example
 * ```ts
 * const scale = new KernelLauncher("scale", program.kernel("saxpy"), { args: [x, y], parameters: ["a"], global: 64 });
 * const table = new ListLauncher("twice").push(scale, scale).parameterTable();
 * table.values[table.indexOf("a")] = 0.1;
 * table.launch(queue);
 * ```
 */
export class ParameterTable {
  /** The list to launch. */
  readonly list: Launcher<never>;
  /** Parameter names, in the order of {@link values}. */
  readonly names: readonly string[];
  /** Values for the next launches. Initially NaN. */
  readonly values: Float64Array;
  readonly #member: ListMember;
  /** Names of the list that were compared with the table's. */
  #checked: readonly string[] | undefined;
  readonly #targetOf: (queue: CommandQueue | undefined) => CommandQueue;

  /** @internal */
  constructor(list: Launcher<never>, member: ListMember, targetOf: (queue: CommandQueue | undefined) => CommandQueue) {
    this.list = list;
    this.names = Object.freeze([...member.names]);
    this.values = new Float64Array(this.names.length).fill(NaN);
    this.#member = member;
    this.#targetOf = targetOf;
  }

  /** Returns the index of a parameter's value, or -1 if there is no such parameter. */
  indexOf(name: string): number {
    return this.names.indexOf(name);
  }

  /** Launches the list with the values, by default on its own queue. */
  launch(queue?: CommandQueue): void {
    const target = this.#targetOf(queue);
    this.#member.launchWith(target, this.#passedValues());
  }

  /** Like {@link launch}, but returns an event that completes with the last command. */
  enqueue(queue?: CommandQueue, options?: LauncherEnqueueOptions): CommandEvent {
    const target = this.#targetOf(queue);
    const waits = waitList(checkOptions(options, ["waitFor"]).waitFor);
    return this.#member.enqueueWith(target, waits, this.#passedValues());
  }

  /** Returns the numbers to pass to the launch; `undefined` if the members have stored their values. */
  #passedValues(): Float64Array | undefined {
    const { names } = this.#member;
    if (names !== this.#checked) this.#check(names);
    if (this.values.length !== names.length) throw wrongState("the table's values must not be transferred");
    // Collecting all values by name costs 100 ns per kernel of a list of twenty (bench: step-20-patched-null).
    if (isTraced()) announce(this.#member, this.#valuesByName());
    if (this.#member.passesAll) return this.values;
    this.#member.setParameters(this.#valuesByName());
    return this.#member.pendingValues;
  }

  #valuesByName(): ParameterValues {
    return Object.fromEntries(this.names.map((name, i) => [name, this.values[i]]));
  }

  #check(names: readonly string[]): void {
    const same = names.length === this.names.length && names.every((name, i) => name === this.names[i]);
    if (!same) {
      throw wrongState(
        `${this.#member.displayName} has different parameters (${names.join(", ")}) than when the table was created`,
      );
    }
    this.#checked = names;
  }
}
