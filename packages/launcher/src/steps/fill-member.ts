/** Implementation of `FillLauncher`. */
import type { CommandEvent, CommandQueue } from "@cl/core";

import { type Member, prefixError, type Recorder } from "../member.js";
import type { Accesses } from "../list/access.js";
import type { LauncherOptions } from "../launcher-options.js";
import { MemberStatistics } from "../statistics/member-statistics.js";
import { type LaunchDetails, describeValue } from "../statistics/tracer.js";
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
  readonly #name: string;
  readonly #target: AnyFill["target"];
  readonly #plan: FillPlan;

  constructor(name: string, options: Omit<AnyFill, keyof LauncherOptions>) {
    this.#name = name;
    this.displayName = `fill "${name}"`;
    try {
      const { target, pattern, ...range } = options;
      this.#plan = planFill(target, pattern, range);
      this.#target = target;
      this.statistics = new MemberStatistics(name, "fill", filledBytes(target, range));
    } catch (error) {
      throw prefixError(this.displayName, error);
    }
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
    recorder.fill(recordable.target, recordable.pattern, range, this.#name);
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
