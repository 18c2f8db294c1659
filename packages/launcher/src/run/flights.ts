/** Tracks launched steps that have not ended. Every few steps have an event; events are awaited in order. */
import type { CommandEvent } from "@cl/core";

import { StepError } from "./step-error.js";

/** The steps in [from, to), which one event completes. */
interface Flight {
  readonly from: number;
  readonly to: number;
  readonly event: CommandEvent;
  readonly ended: Promise<void>;
}

/** Pending events, oldest first. */
export class Flights {
  readonly #pending: Flight[] = [];
  /** All steps before `#watched` have an event, all steps before `#ended` have ended. */
  #watched: number;
  #ended: number;

  constructor(from: number) {
    this.#watched = from;
    this.#ended = from;
  }

  /** All steps before this one have an event. */
  get watched(): number {
    return this.#watched;
  }

  /** All steps before this one are known to have ended. */
  get ended(): number {
    return this.#ended;
  }

  /** Adds the event of all steps before `to` that have none. */
  add(to: number, event: CommandEvent): void {
    const ended = event.wait();
    // The rejection is handled when the flight is settled.
    ended.catch(() => undefined);
    this.#pending.push({ from: this.#watched, to, event, ended });
    this.#watched = to;
  }

  /** Awaits the oldest event. */
  async settleOne(): Promise<void> {
    const flight = this.#pending.shift();
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

  /** Awaits all events, then `rest`, which completes the steps before `to`. */
  async settle(to: number, rest: () => Promise<void>): Promise<void> {
    // In order, since the first failure is the cause.
    while (this.#pending.length > 0) await this.settleOne();
    try {
      await rest();
    } catch (error) {
      throw new StepError(this.#ended, Math.max(this.#ended, to - 1), error);
    }
    this.#watched = to;
    this.#ended = to;
  }

  /** Releases all pending events. */
  releaseAll(): void {
    for (const { event } of this.#pending.splice(0)) event.release();
  }
}
