/** A copy in a list. */
import type { CommandEvent, CommandQueue } from "@cl/core";

import { type Member, named, type Recorder } from "../member.js";
import type { Accesses } from "../list/access.js";
import { MemberStatistics } from "../statistics/member-statistics.js";
import { type LaunchWords, valueWords } from "../statistics/tracer.js";
import { type CopyLauncherEnd, directionOf, type CopyLauncherRange } from "./copy-ends.js";
import type { CopyCount, CopyWay } from "./copy-way.js";
import { copiedBytes } from "./moved-bytes.js";
import { memoryCopy } from "./memory-copy.js";
import { isView, viewCopy } from "./view-copy.js";

/** The working half of a copy launcher. */
export class CopyMember implements Member {
  readonly words: string;
  readonly uses = [] as const;
  readonly version = 0;
  readonly globalSizeConfigured = true;
  readonly statistics: MemberStatistics;
  readonly #name: string;
  readonly #source: CopyLauncherEnd;
  readonly #target: CopyLauncherEnd;
  readonly #way: CopyWay;

  constructor(name: string, source: CopyLauncherEnd, target: CopyLauncherEnd, range: CopyLauncherRange) {
    this.words = `copy "${name}"`;
    this.#name = name;
    try {
      const direction = directionOf(source, target);
      this.#way =
        isView(source) || isView(target) ? viewCopy(target, source, range) : memoryCopy(target, source, range);
      this.statistics = new MemberStatistics(name, kinds[direction], copiedBytes(source, target, range));
    } catch (error) {
      throw named(this.words, error);
    }
    this.#source = source;
    this.#target = target;
  }

  take(): void {
    // No parameters.
  }

  launch(queue: CommandQueue): void {
    this.enqueue(queue, []).release();
  }

  enqueue(queue: CommandQueue, waitFor: readonly CommandEvent[]): CommandEvent {
    try {
      return this.#way.enqueue(queue, waitFor, this.#name, this.#countOn(queue));
    } catch (error) {
      throw named(this.words, error);
    }
  }

  #countOn(queue: CommandQueue): CopyCount {
    if (!queue.profiling) return uncounted;
    const { commands } = this.statistics;
    return {
      command: (event) => {
        commands.add(event);
        return event;
      },
      onHost: (run) => () => commands.time(run, { queue }),
    };
  }

  record(recorder: Recorder): void {
    const { line, onHost } = this.#way;
    if (line === undefined) {
      recorder.step(this, onHost);
      return;
    }
    const counted = { ...line.range, statistics: this.statistics.commands };
    recorder.copy(line.target, line.source, counted, this.#name);
  }

  describe(): LaunchWords {
    const bytes = `${this.statistics.bytes} bytes`;
    return { args: [valueWords(this.#source), `to ${valueWords(this.#target)}`, bytes] };
  }

  accesses(): Accesses {
    return this.#way.accesses();
  }

  release(): void {
    // The memory is the user's.
  }
}

const kinds = {
  "host to host": "copy",
  "host to device": "write",
  "device to host": "read",
  "device to device": "copy",
} as const;

const uncounted: CopyCount = { command: (event) => event, onHost: (run) => run };
