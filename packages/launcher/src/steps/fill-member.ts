/** A fill in a list. */
import type { CommandEvent, CommandQueue } from "@cl/core";

import { type Member, named, type Recorder } from "../member.js";
import type { Accesses } from "../list/access.js";
import type { FillLauncherOptions, ImageFillLauncherOptions, ViewFillLauncherOptions } from "./fill-launcher.js";
import { type FillWay, fillWay } from "./fill-way.js";

type AnyFill = FillLauncherOptions | ImageFillLauncherOptions | ViewFillLauncherOptions;

/** The working half of a fill launcher. */
export class FillMember implements Member {
  readonly words: string;
  readonly uses = [] as const;
  readonly version = 0;
  readonly globalSizeConfigured = true;
  readonly #name: string;
  readonly #way: FillWay;

  constructor(name: string, options: Omit<AnyFill, "queue">) {
    this.#name = name;
    this.words = `fill "${name}"`;
    try {
      const { target, pattern, ...range } = options;
      this.#way = fillWay(target, pattern, range);
    } catch (error) {
      throw named(this.words, error);
    }
  }

  take(): void {
    // No parameters.
  }

  launch(queue: CommandQueue): void {
    this.enqueue(queue, []).release();
  }

  enqueue(queue: CommandQueue, waitFor: readonly CommandEvent[]): CommandEvent {
    try {
      return this.#way.enqueue(queue, waitFor);
    } catch (error) {
      throw named(this.words, error);
    }
  }

  record(recorder: Recorder): void {
    const { line } = this.#way;
    if (line === undefined) recorder.step(this, false);
    else recorder.fill(line.target, line.pattern, line.range, this.#name);
  }

  accesses(): Accesses {
    return this.#way.accesses();
  }

  release(): void {
    this.#way.release?.();
  }
}
