/** A copy in a list. */
import { type CommandEvent, type CommandQueue, type CopyEnd, DeviceBuffer, SvmPointer } from "@cl/core";

import { type Member, named, type Recorder } from "../member.js";
import { type Accesses, accessTo, allAccesses } from "../list/access.js";
import { bytesOf, copyBytes, directionOf } from "./copy-ends.js";
import type { CopyLauncherRange } from "./copy-launcher.js";

/** The working half of a copy launcher. */
export class CopyMember implements Member {
  readonly words: string;
  readonly uses = [] as const;
  readonly version = 0;
  readonly globalSizeConfigured = true;
  readonly #name: string;
  readonly #source: CopyEnd;
  readonly #target: CopyEnd;
  readonly #range: CopyLauncherRange;
  readonly #onHost: boolean;

  constructor(name: string, source: CopyEnd, target: CopyEnd, range: CopyLauncherRange) {
    this.words = `copy "${name}"`;
    try {
      this.#onHost = directionOf(source, target) === "host to host";
      // Boxes are checked by the queue.
      if (this.#onHost || range.region === undefined) copyBytes(source, target, range);
    } catch (error) {
      throw named(this.words, error);
    }
    this.#name = name;
    this.#source = source;
    this.#target = target;
    this.#range = range;
  }

  take(): void {
    // No parameters.
  }

  launch(queue: CommandQueue): void {
    this.enqueue(queue, []).release();
  }

  enqueue(queue: CommandQueue, waitFor: readonly CommandEvent[]): CommandEvent {
    try {
      if (this.#onHost) return queue.enqueueHostFunction(() => this.#copyOnHost(), { waitFor, label: this.#name });
      return queue.enqueueCopy(this.#target, this.#source, { ...this.#range, waitFor });
    } catch (error) {
      throw named(this.words, error);
    }
  }

  #copyOnHost(): void {
    const { bytes, sourceOffset, targetOffset } = copyBytes(this.#source, this.#target, this.#range);
    bytesOf(this.#target, targetOffset, bytes).set(bytesOf(this.#source, sourceOffset, bytes));
  }

  record(recorder: Recorder): void {
    const [target, source] = [this.#target, this.#source];
    if (target instanceof DeviceBuffer && source instanceof DeviceBuffer && this.#range.region === undefined) {
      recorder.copy(target, source, this.#range, this.#name);
    } else {
      recorder.step(this, this.#onHost);
    }
  }

  accesses(): Accesses {
    const { region, ...range } = this.#range;
    const { bytes, sourceOffset, targetOffset } =
      region === undefined ? copyBytes(this.#source, this.#target, range) : {};
    return allAccesses([
      endAccess(this.#source, false, { offset: sourceOffset, bytes }),
      endAccess(this.#target, true, { offset: targetOffset, bytes }),
    ]);
  }

  release(): void {
    // The memory is the user's.
  }
}

/** Host memory counts as one: arrays may share theirs in ways that nobody can see. */
const host = {};

function endAccess(
  end: CopyEnd,
  writes: boolean,
  range: { offset?: number | undefined; bytes?: number | undefined },
): Accesses {
  if (end instanceof DeviceBuffer || end instanceof SvmPointer) return [accessTo(end, writes, range)];
  return [{ store: host, start: 0, end: Infinity, writes }];
}
