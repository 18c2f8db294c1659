/**
 * A list with a host step that has results. The arguments of a command cannot change after it was enqueued, so the members
 * after the step are enqueued when its function has returned, on another queue, and the function only completes with them. So
 * each launch has its own results, and the queue of the launch keeps its order.
 */
import { type CommandEvent, CommandQueue } from "@cl/core";

import { type HostResults, type Member, prefixError } from "../member.js";
import type { ParameterValues } from "../parameters/parameter-union.js";
import { announceLater } from "../statistics/announce.js";
import { holdMembers, releaseMember } from "./holds.js";

/** Members before a host step with results, the step, and the members after it. */
export class StagedList {
  readonly #displayName: string;
  readonly #before: Member;
  readonly #step: Member & { readonly results: HostResults };
  readonly #after: Member;
  #values: ParameterValues = {};

  /** Returns `undefined` if no member runs after a host step with results. `toList` returns a list of members. */
  static of(
    displayName: string,
    members: readonly Member[],
    toList: (members: readonly Member[]) => Member,
  ): StagedList | undefined {
    const at = members.findIndex(({ results }) => results !== undefined);
    const step = members[at];
    if (step === undefined || !hasResults(step) || at === members.length - 1) return undefined;
    return new StagedList(displayName, toList(members.slice(0, at)), step, toList(members.slice(at + 1)));
  }

  private constructor(
    displayName: string,
    before: Member,
    step: Member & { readonly results: HostResults },
    after: Member,
  ) {
    this.#displayName = displayName;
    this.#before = before;
    this.#step = step;
    this.#after = after;
  }

  /** Checks and copies the values. In place of results, later members check zeros. */
  setParameters(values: ParameterValues): void {
    const zeros = this.#step.results.uses.map(({ name, type }) => [name, type === "bigint" ? 0n : 0] as const);
    this.#before.setParameters(values);
    this.#named(() => this.#step.setParameters(values));
    this.#after.setParameters({ ...values, ...Object.fromEntries<number | bigint>(zeros) });
    this.#values = { ...values };
  }

  /** Enqueues everything. The event completes with the last member. */
  enqueue(queue: CommandQueue, waitFor: readonly CommandEvent[]): CommandEvent {
    const after = this.#after;
    const values = this.#values;
    const announce = announceLater(this.#step);
    using before = this.#before.enqueue(queue, waitFor);
    const endHold = holdMembers([after]);
    const runAfter = async (results: ParameterValues): Promise<void> => {
      const all = { ...values, ...results };
      after.setParameters(all);
      announce?.(results);
      using end = after.enqueue(followerOf(queue), []);
      await end.wait();
    };
    try {
      // If the function is not called, since an earlier command failed, garbage collection releases what is held.
      return this.#named(() => this.#step.results.enqueue(queue, [before], runAfter, endHold));
    } catch (error) {
      endHold();
      throw error;
    }
  }

  #named<T>(run: () => T): T {
    try {
      return run();
    } catch (error) {
      throw prefixError(this.#displayName, error);
    }
  }

  release(): void {
    releaseMember(this.#before);
    releaseMember(this.#after);
  }
}

function hasResults(member: Member): member is Member & { readonly results: HostResults } {
  return member.results !== undefined;
}

const followers = new WeakMap<CommandQueue, CommandQueue>();

/** Returns the queue of members whose launch another queue waits for. */
function followerOf(queue: CommandQueue): CommandQueue {
  let follower = followers.get(queue);
  if (follower === undefined || follower.released) {
    const { context, device, profiling, outOfOrder } = queue;
    follower = new CommandQueue(context, { device, profiling, outOfOrder, label: "members after a host step" });
    followers.set(queue, follower);
  }
  return follower;
}
