import { checkOptions } from "@cl/base";

import { Launcher } from "../launcher.js";
import { checkName, checkShared, type LauncherOptions } from "../launcher-options.js";
import { type CopyLauncherEnd, type CopyLauncherRange, copyRangeNames } from "./copy-ends.js";
import { CopyMember } from "./copy-member.js";

/** How to make a copy. */
export interface CopyLauncherOptions extends LauncherOptions, CopyLauncherRange {
  /** What is copied: a buffer, shared virtual memory, host memory, an image, or a view. */
  readonly source: CopyLauncherEnd;
  /** Where to. Of views, and of memory beside them, both sides have the same elements and the same shape. */
  readonly target: CopyLauncherEnd;
}

/**
 * A copy between buffers, shared virtual memory, images, host arrays and views of these, in any direction. Host memory is
 * read and written when its turn comes: leave it alone until then.
 *
 * @example
 * ```ts
 * const probe = new Float32Array(64);
 * await new CopyLauncher("probe", { source: u, target: probe }).enqueue(queue).wait();
 * ```
 *
 * @example Of a part of a grid
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
