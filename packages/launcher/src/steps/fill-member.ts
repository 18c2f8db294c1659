/** A fill in a list. */
import type { CommandEvent, CommandQueue } from "@cl/core";

import { type Member, named, type Recorder } from "../member.js";
import type { Accesses } from "../list/access.js";
import type { LauncherOptions } from "../launcher-options.js";
import { MemberStatistics } from "../statistics/member-statistics.js";
import { type LaunchWords, valueWords } from "../statistics/tracer.js";
import { filledBytes } from "./moved-bytes.js";
import type { FillLauncherOptions, ImageFillLauncherOptions, ViewFillLauncherOptions } from "./fill-launcher.js";
import { type FillWay, fillWay } from "./fill-way.js";

type AnyFill = FillLauncherOptions | ImageFillLauncherOptions | ViewFillLauncherOptions;

/** The working half of a fill launcher. */
export class FillMember implements Member {
  readonly words: string;
  readonly uses = [] as const;
  readonly version = 0;
  readonly globalSizeConfigured = true;
  readonly statistics: MemberStatistics;
  readonly #name: string;
  readonly #target: AnyFill["target"];
  readonly #way: FillWay;

  constructor(name: string, options: Omit<AnyFill, keyof LauncherOptions>) {
    this.#name = name;
    this.words = `fill "${name}"`;
    try {
      const { target, pattern, ...range } = options;
      this.#way = fillWay(target, pattern, range);
      this.#target = target;
      this.statistics = new MemberStatistics(name, "fill", filledBytes(target, range));
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
      const event = this.#way.enqueue(queue, waitFor);
      if (queue.profiling) this.statistics.commands.add(event);
      return event;
    } catch (error) {
      throw named(this.words, error);
    }
  }

  record(recorder: Recorder): void {
    const { line } = this.#way;
    if (line === undefined) {
      recorder.step(this, false);
      return;
    }
    const counted = { ...line.range, statistics: this.statistics.commands };
    recorder.fill(line.target, line.pattern, counted, this.#name);
  }

  accesses(): Accesses {
    return this.#way.accesses();
  }

  describe(): LaunchWords {
    return { args: [valueWords(this.#target), `${this.statistics.bytes} bytes`] };
  }

  release(): void {
    this.#way.release?.();
  }
}
