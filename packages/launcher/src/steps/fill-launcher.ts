import { checkOptions } from "@cl/base";
import type {
  Color,
  DeviceBuffer,
  DeviceView,
  DTypeValue,
  FillOptions,
  FillPattern,
  Image,
  PixelBoxOptions,
  SvmPointer,
} from "@cl/core";

import { Launcher } from "../launcher.js";
import { checkName, checkShared, type LauncherOptions } from "../launcher-options.js";
import { FillMember } from "./fill-member.js";

/** How to make a fill of a buffer or of shared virtual memory. */
export interface FillLauncherOptions extends LauncherOptions, Omit<FillOptions, "waitFor"> {
  /** What is filled. */
  readonly target: DeviceBuffer | SvmPointer;
  /** What it is filled with; an array is taken as it is now. */
  readonly pattern: FillPattern;
}

/** How to make a fill of an image. */
export interface ImageFillLauncherOptions extends LauncherOptions, PixelBoxOptions {
  /** What is filled. */
  readonly target: Image;
  /** The color of its pixels. */
  readonly pattern: Color;
}

/** How to make a fill of a view's elements. */
export interface ViewFillLauncherOptions extends LauncherOptions {
  /** What is filled: of a part of an array, the elements of a slice. */
  readonly target: DeviceView;
  /** The value of each element. */
  readonly pattern: DTypeValue;
}

/**
 * Fills a buffer, or the bytes of it that the options name, with a pattern; an image, or a box of it, with a color; or the
 * elements of a view with a value.
 *
 * @example
 * ```ts
 * const clear = new FillLauncher("clear", { target: u, pattern: 0 });
 * clear.launch(queue);
 * const border = new FillLauncher("border", { target: new DeviceView(u, { shape: [8, 8] }).slice(":", 0), pattern: 1 });
 * border.launch(queue);
 * ```
 */
export class FillLauncher extends Launcher {
  constructor(name: string, options: FillLauncherOptions | ImageFillLauncherOptions | ViewFillLauncherOptions) {
    const { queue, profiler, tracer, ...fill } = checkOptions(options, [
      "target",
      "pattern",
      "queue",
      "profiler",
      "tracer",
      "bytes",
      "offset",
      "origin",
      "region",
    ]);
    const shared = checkShared({ queue, profiler, tracer } as LauncherOptions);
    super(name, new FillMember(checkName(name), fill), shared);
  }
}
