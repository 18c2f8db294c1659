/** Steps that were launched and have not ended: every few of them have an event, which is awaited in its turn. */
import type { CommandEvent } from "@cl/core";

import { StepError } from "./step-error.js";

/** Launches that one event ends: the steps from `from`, before `to`. */
interface Flight {
  readonly from: number;
  readonly to: number;
  readonly event: CommandEvent;
  readonly ended: Promise<void>;
}

/** The events on the way, the oldest first. */
export class Flights {
  readonly #list: Flight[] = [];
  /** Before which step all have an event, and before which all have ended. */
  #watched: number;
  #ended: number;

  constructor(from: number) {
    this.#watched = from;
    this.#ended = from;
  }

  /** Before which step all have an event. */
  get watched(): number {
    return this.#watched;
  }

  /** Before which step all are known to have ended. */
  get ended(): number {
    return this.#ended;
  }

  /** The event of all launches before step `to` that had none. */
  add(to: number, event: CommandEvent): void {
    const ended = event.wait();
    // It is heard of when its turn comes.
    ended.catch(() => undefined);
    this.#list.push({ from: this.#watched, to, event, ended });
    this.#watched = to;
  }

  /** Awaits the oldest. */
  async settleOne(): Promise<void> {
    const flight = this.#list.shift();
    if (flight === undefined) return;
    const { from, to, event, ended } = flight;
    try {
      await ended;
    } catch (error) {
      throw new StepError(from, to - 1, error);
    } finally {
      event.release();
    }
    this.#ended = to;
  }

  /** Awaits all, and then `rest`, which ends the launches before step `to`. */
  async settle(to: number, rest: () => Promise<void>): Promise<void> {
    // In order: the first that fails is the cause.
    while (this.#list.length > 0) await this.settleOne();
    try {
      await rest();
    } catch (error) {
      throw new StepError(this.#ended, Math.max(this.#ended, to - 1), error);
    }
    this.#watched = to;
    this.#ended = to;
  }

  /** Gives up what is on the way. */
  drop(): void {
    for (const { event } of this.#list.splice(0)) event.release();
  }
}
