/** A copy in a list. */
import type { CommandEvent, CommandQueue } from "@cl/core";

import { type Member, named, type Recorder } from "../member.js";
import type { Accesses } from "../list/access.js";
import { type CopyLauncherEnd, directionOf } from "./copy-ends.js";
import type { CopyLauncherRange } from "./copy-launcher.js";
import type { CopyWay } from "./copy-way.js";
import { memoryCopy } from "./memory-copy.js";
import { isView, viewCopy } from "./view-copy.js";

/** The working half of a copy launcher. */
export class CopyMember implements Member {
  readonly words: string;
  readonly uses = [] as const;
  readonly version = 0;
  readonly globalSizeConfigured = true;
  readonly #name: string;
  readonly #way: CopyWay;

  constructor(name: string, source: CopyLauncherEnd, target: CopyLauncherEnd, range: CopyLauncherRange) {
    this.words = `copy "${name}"`;
    this.#name = name;
    try {
      directionOf(source, target);
      this.#way =
        isView(source) || isView(target) ? viewCopy(target, source, range) : memoryCopy(target, source, range);
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
      return this.#way.enqueue(queue, waitFor, this.#name);
    } catch (error) {
      throw named(this.words, error);
    }
  }

  record(recorder: Recorder): void {
    const { line, onHost } = this.#way;
    if (line === undefined) recorder.step(this, onHost);
    else recorder.copy(line.target, line.source, line.range, this.#name);
  }

  accesses(): Accesses {
    return this.#way.accesses();
  }

  release(): void {
    // The memory is the user's.
  }
}
