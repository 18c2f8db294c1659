import {
  type CommandEvent,
  type CommandQueue,
  DeviceBuffer,
  type FillOptions,
  type FillPattern,
  LaunchList,
  SvmPointer,
} from "@cl/core";
import { checkOptions, typeError } from "@cl/core/checks";

import { checkName, checkQueue, Launcher, type LauncherOptions } from "../launcher.js";
import { type Accesses, accessTo } from "../list/access.js";
import { type Member, named, type Recorder } from "../member.js";

/** How to make a fill. */
export interface FillLauncherOptions extends LauncherOptions, Omit<FillOptions, "waitFor"> {
  /** The buffer or shared virtual memory to fill. */
  readonly target: DeviceBuffer | SvmPointer;
  /** What it is filled with; an array is taken as it is now. */
  readonly pattern: FillPattern;
}

/**
 * Fills a buffer, or the bytes of it that the options name, with a pattern.
 *
 * @example
 * ```ts
 * const clear = new FillLauncher("clear", { target: u, pattern: 0 });
 * clear.launch(queue);
 * ```
 */
export class FillLauncher extends Launcher {
  constructor(name: string, options: FillLauncherOptions) {
    const { queue, ...fill } = checkOptions(options);
    const own = checkQueue(queue);
    super(name, new FillMember(checkName(name), fill), own);
  }
}

class FillMember implements Member {
  readonly words: string;
  readonly uses = [] as const;
  readonly version = 0;
  readonly globalSizeConfigured = true;
  readonly #name: string;
  readonly #target: DeviceBuffer | SvmPointer;
  readonly #pattern: FillPattern;
  readonly #range: { readonly offset?: number; readonly bytes?: number };

  constructor(name: string, { target, pattern, ...range }: Omit<FillLauncherOptions, "queue">) {
    this.#name = name;
    this.words = `fill "${name}"`;
    this.#target = target;
    this.#range = range;
    try {
      if (!(target instanceof DeviceBuffer) && !(target instanceof SvmPointer)) {
        throw typeError("options.target", "a DeviceBuffer or shared virtual memory", target);
      }
      this.#pattern = taken(pattern);
      if (target instanceof DeviceBuffer) checkFill(target, this.#pattern, range);
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
      const options = { ...this.#range, waitFor };
      if (this.#target instanceof DeviceBuffer) return queue.enqueueFill(this.#target, this.#pattern, options);
      return queue.enqueueSvmFill(this.#target, this.#pattern, options);
    } catch (error) {
      throw named(this.words, error);
    }
  }

  record(recorder: Recorder): void {
    if (this.#target instanceof DeviceBuffer) recorder.fill(this.#target, this.#pattern, this.#range, this.#name);
    else recorder.step(this, false);
  }

  accesses(): Accesses {
    return [accessTo(this.#target, true, this.#range)];
  }

  release(): void {
    // The memory is the user's.
  }
}

/** A list checks it when it is pushed; nothing is enqueued. */
function checkFill(target: DeviceBuffer, pattern: FillPattern, range: { offset?: number; bytes?: number }): void {
  using list = new LaunchList(target.context);
  list.pushFill(target, pattern, range);
}

/** A copy of its own, since the array may be changed after. */
function taken(pattern: FillPattern): FillPattern {
  if (ArrayBuffer.isView(pattern)) {
    return new Uint8Array(pattern.buffer, pattern.byteOffset, pattern.byteLength).slice();
  }
  return pattern instanceof ArrayBuffer || pattern instanceof SharedArrayBuffer
    ? new Uint8Array(pattern).slice()
    : pattern;
}
