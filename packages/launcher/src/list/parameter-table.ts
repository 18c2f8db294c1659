import { checkOptions, wrongState } from "@cl/base";
import type { CommandEvent, CommandQueue } from "@cl/core";

import type { Launcher, LauncherEnqueueOptions } from "../launcher.js";
import type { ParameterValues } from "../parameters/parameter-union.js";
import { announce, isTraced } from "../statistics/announce.js";
import { waitList } from "../wait-list.js";
import type { ListMember } from "./list-member.js";

/**
 * All parameters of a list as numbers in one array: write them there, and launch. It is the fastest way to give a list's
 * kernels new numbers; `ListLauncher.parameterTable` makes it.
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
  /** The list that it launches. */
  readonly list: Launcher<never>;
  /** The parameters, in the order of {@link values}. */
  readonly names: readonly string[];
  /** Their values for the launches to come; NaN before they are set. */
  readonly values: Float64Array;
  readonly #member: ListMember;
  /** The list's names that were found to be the table's. */
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

  /** Where a parameter's value is; -1 for what is none. */
  indexOf(name: string): number {
    return this.names.indexOf(name);
  }

  /** Launches the list with the values, on its own queue if none is named. */
  launch(queue?: CommandQueue): void {
    const target = this.#targetOf(queue);
    this.#member.launchWith(target, this.#take());
  }

  /** Like {@link launch}, with an event that completes when all of it has. */
  enqueue(queue?: CommandQueue, options?: LauncherEnqueueOptions): CommandEvent {
    const target = this.#targetOf(queue);
    const waits = waitList(checkOptions(options, ["waitFor"]).waitFor);
    return this.#member.enqueueWith(target, waits, this.#take());
  }

  /** Returns what the launch has to bring; members that ask for values have taken theirs. */
  #take(): Float64Array | undefined {
    const { names } = this.#member;
    if (names !== this.#checked) this.#check(names);
    if (this.values.length !== names.length) throw wrongState("the table's values have been transferred away");
    // An object of all values costs 100 ns per kernel of a list of twenty (bench: step-20-patched-null).
    if (isTraced()) announce(this.#member, this.#named());
    if (this.#member.bringsAll) return this.values;
    this.#member.take(this.#named());
    return this.#member.taken;
  }

  #named(): ParameterValues {
    return Object.fromEntries(this.names.map((name, i) => [name, this.values[i]]));
  }

  #check(names: readonly string[]): void {
    const same = names.length === this.names.length && names.every((name, i) => name === this.names[i]);
    if (!same) {
      throw wrongState(`${this.#member.words} has other parameters (${names.join(", ")}) than when the table was made`);
    }
    this.#checked = names;
  }
}
