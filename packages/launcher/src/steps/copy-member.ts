/** Implementation of `CopyLauncher`. */
import type { CommandEvent, CommandQueue } from "@cl/core";

import { type Member, prefixError, type Recorder } from "../member.js";
import type { Accesses } from "../list/access.js";
import { MemberStatistics } from "../statistics/member-statistics.js";
import { type LaunchDetails, describeValue } from "../statistics/tracer.js";
import { type CopyLauncherEnd, directionOf, type CopyLauncherRange, withMemory } from "./copy-ends.js";
import type { CopyStatistics, CopyPlan } from "./copy-plan.js";
import type { DeviceMove } from "./device-move.js";
import { copiedBytes } from "./moved-bytes.js";
import { memoryCopy } from "./memory-copy.js";
import { isView, viewCopy } from "./view-copy.js";

/** Copies memory. */
export class CopyMember implements Member {
  readonly displayName: string;
  readonly uses = [] as const;
  readonly version = 0;
  readonly globalSizeConfigured = true;
  readonly statistics: MemberStatistics;
  readonly name: string;
  readonly #source: CopyLauncherEnd;
  readonly #target: CopyLauncherEnd;
  readonly #range: CopyLauncherRange;
  readonly #copy: CopyPlan;

  constructor(name: string, source: CopyLauncherEnd, target: CopyLauncherEnd, range: CopyLauncherRange) {
    this.displayName = `copy "${name}"`;
    this.name = name;
    try {
      const direction = directionOf(source, target);
      this.#copy =
        isView(source) || isView(target) ? viewCopy(target, source, range) : memoryCopy(target, source, range);
      this.statistics = new MemberStatistics(name, kinds[direction], copiedBytes(source, target, range));
    } catch (error) {
      throw prefixError(this.displayName, error);
    }
    this.#source = source;
    this.#target = target;
    this.#range = range;
  }

  /** What it does as a kernel can do it, or why none can. */
  get move(): DeviceMove | string {
    return this.#copy.move();
  }

  /** Returns the same copy of other memory. */
  withMemory(replace: <M>(memory: M) => M): CopyMember {
    return new CopyMember(this.name, withMemory(this.#source, replace), withMemory(this.#target, replace), this.#range);
  }

  setParameters(): void {
    // No parameters.
  }

  launch(queue: CommandQueue): void {
    this.enqueue(queue, []).release();
  }

  enqueue(queue: CommandQueue, waitFor: readonly CommandEvent[]): CommandEvent {
    try {
      return this.#copy.enqueue(queue, waitFor, this.name, this.#recorderFor(queue));
    } catch (error) {
      throw prefixError(this.displayName, error);
    }
  }

  #recorderFor(queue: CommandQueue): CopyStatistics {
    if (!queue.profiling) return unrecorded;
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
    const { recordable, onHost } = this.#copy;
    if (recordable === undefined) {
      recorder.step(this, onHost);
      return;
    }
    const range = { ...recordable.range, statistics: this.statistics.commands };
    recorder.copy(recordable.target, recordable.source, range, this.name);
  }

  describe(): LaunchDetails {
    const bytes = `${this.statistics.bytes} bytes`;
    return { args: [describeValue(this.#source), `to ${describeValue(this.#target)}`, bytes] };
  }

  accesses(): Accesses {
    return this.#copy.accesses();
  }

  release(): void {
    // The memory belongs to the user.
  }
}

const kinds = {
  "host to host": "copy",
  "host to device": "write",
  "device to host": "read",
  "device to device": "copy",
} as const;

const unrecorded: CopyStatistics = { command: (event) => event, onHost: (run) => run };
