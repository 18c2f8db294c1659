import { checkOptions } from "@cl/base";

import { Launcher } from "../launcher.js";
import { checkName, checkShared, type LauncherOptions } from "../launcher-options.js";
import { type CopyLauncherEnd, type CopyLauncherRange, copyRangeNames } from "./copy-ends.js";
import { CopyMember } from "./copy-member.js";

/** Options of a copy launcher. */
export interface CopyLauncherOptions extends LauncherOptions, CopyLauncherRange {
  /** Source: a buffer, shared virtual memory, host memory, an image, or a view. */
  readonly source: CopyLauncherEnd;
  /** Target. If one side is a view, both must have the same element type and shape. */
  readonly target: CopyLauncherEnd;
}

/**
 * Copies between buffers, shared virtual memory, images, host arrays and views of these, in any direction. Host memory is
 * accessed when the copy runs and must not be modified before.
 *
 * @example
 * ```ts
 * const probe = new Float32Array(64);
 * await new CopyLauncher("probe", { source: u, target: probe }).enqueue(queue).wait();
 * ```
 *
 * @example A part of a grid
 * ```ts
 * const grid = new DeviceView(u, { shape: [8, 8] });
 * const column = new Float32Array(8);
 * await new CopyLauncher("column", { source: grid.slice(":", 3), target: column }).enqueue(queue).wait();
 * ```
 */
export class CopyLauncher extends Launcher {
  constructor(name: string, options: CopyLauncherOptions) {
    const { source, target, queue, profiler, tracer, ...range } = checkOptions(options, [
      "source",
      "target",
      "queue",
      "profiler",
      "tracer",
      ...copyRangeNames,
    ]);
    checkName(name);
    const shared = checkShared({ queue, profiler, tracer } as LauncherOptions);
    super(name, new CopyMember(name, source, target, range), shared);
  }
}
