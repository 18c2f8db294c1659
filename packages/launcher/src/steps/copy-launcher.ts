import type { CopyEnd, CopyOptions } from "@cl/core";
import { checkOptions, typeError, wrongValue } from "@cl/core/checks";

import { checkName, checkQueue, Launcher, type LauncherOptions } from "../launcher.js";
import { CopyMember } from "./copy-member.js";
import { directionOf } from "./copy-ends.js";

/** What to copy, in bytes: a run, or with `region` a box. */
export type CopyLauncherRange = Omit<CopyOptions, "waitFor">;

/** How to make a copy. */
export interface CopyLauncherOptions extends LauncherOptions, CopyLauncherRange {
  /** What is copied: a buffer, shared virtual memory, or host memory. */
  readonly source: CopyEnd;
  /** Where to. */
  readonly target: CopyEnd;
}

/**
 * A copy between buffers, shared virtual memory and host arrays, in any direction. Host memory is read and written when its
 * turn comes: leave it alone until then.
 *
 * @example
 * ```ts
 * const probe = new Float32Array(64);
 * await new CopyLauncher("probe", { source: u, target: probe }).enqueue(queue).wait();
 * ```
 */
export class CopyLauncher extends Launcher {
  constructor(name: string, options: CopyLauncherOptions) {
    const { source, target, queue, ...range } = checkOptions(options);
    checkName(name);
    const own = checkQueue(queue);
    checkRange(range, source, target);
    super(name, new CopyMember(name, source, target, range), own);
  }
}

const line = ["sourceOffset", "targetOffset", "bytes"];
const box = ["region", "sourceOrigin", "targetOrigin", "sourcePitches", "targetPitches"];

/** What would be ignored is a mistake. */
function checkRange(range: Readonly<Record<string, unknown>>, source: CopyEnd, target: CopyEnd): void {
  const given = Object.keys(range).filter((key) => range[key] !== undefined);
  const unknown = given.find((key) => !line.includes(key) && !box.includes(key));
  if (unknown !== undefined) {
    throw typeError("options", `made of source, target, queue, ${[...line, ...box].join(", ")}`, { [unknown]: "…" });
  }
  const boxed = given.find((key) => box.includes(key));
  if (boxed !== undefined && directionOf(source, target) === "host to host") {
    throw wrongValue(`options.${boxed} is for copies from or to a device`);
  }
}
