/** Implementation of `FillLauncher`. */
import type { CommandEvent, CommandQueue } from "@cl/core";

import { type Member, prefixError, type Recorder } from "../member.js";
import type { Accesses } from "../list/access.js";
import type { LauncherOptions } from "../launcher-options.js";
import { MemberStatistics } from "../statistics/member-statistics.js";
import { type LaunchDetails, describeValue } from "../statistics/tracer.js";
import { withMemory } from "./copy-ends.js";
import type { DeviceMove } from "./device-move.js";
import { filledBytes } from "./moved-bytes.js";
import type { FillLauncherOptions, ImageFillLauncherOptions, ViewFillLauncherOptions } from "./fill-launcher.js";
import { type FillPlan, planFill } from "./fill-plan.js";

type AnyFill = FillLauncherOptions | ImageFillLauncherOptions | ViewFillLauncherOptions;

/** Fills memory. */
export class FillMember implements Member {
  readonly displayName: string;
  readonly uses = [] as const;
  readonly version = 0;
  readonly globalSizeConfigured = true;
  readonly statistics: MemberStatistics;
  readonly name: string;
  readonly #target: AnyFill["target"];
  readonly #options: Omit<AnyFill, keyof LauncherOptions>;
  readonly #plan: FillPlan;

  constructor(name: string, options: Omit<AnyFill, keyof LauncherOptions>) {
    this.name = name;
    this.displayName = `fill "${name}"`;
    try {
      const { target, pattern, ...range } = options;
      this.#plan = planFill(target, pattern, range);
      this.#target = target;
      this.#options = options;
      this.statistics = new MemberStatistics(name, "fill", filledBytes(target, range));
    } catch (error) {
      throw prefixError(this.displayName, error);
    }
  }

  /** What it does as a kernel can do it, or why none can. */
  get move(): DeviceMove | string {
    return this.#plan.move();
  }

  /** Returns the same fill of other memory. */
  withMemory(replace: <M>(memory: M) => M): FillMember {
    return new FillMember(this.name, { ...this.#options, target: withMemory(this.#target, replace) });
  }

  setParameters(): void {
    // No parameters.
  }

  launch(queue: CommandQueue): void {
    this.enqueue(queue, []).release();
  }

  enqueue(queue: CommandQueue, waitFor: readonly CommandEvent[]): CommandEvent {
    try {
      const event = this.#plan.enqueue(queue, waitFor);
      if (queue.profiling) this.statistics.commands.add(event);
      return event;
    } catch (error) {
      throw prefixError(this.displayName, error);
    }
  }

  record(recorder: Recorder): void {
    const { recordable } = this.#plan;
    if (recordable === undefined) {
      recorder.step(this, false);
      return;
    }
    const range = { ...recordable.range, statistics: this.statistics.commands };
    recorder.fill(recordable.target, recordable.pattern, range, this.name);
  }

  accesses(): Accesses {
    return this.#plan.accesses();
  }

  describe(): LaunchDetails {
    return { args: [describeValue(this.#target), `${this.statistics.bytes} bytes`] };
  }

  release(): void {
    this.#plan.release?.();
  }
}
