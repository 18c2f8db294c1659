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

/** Options of a fill of a buffer or shared virtual memory. */
export interface FillLauncherOptions extends LauncherOptions, Omit<FillOptions, "waitFor"> {
  /** Memory to fill. */
  readonly target: DeviceBuffer | SvmPointer;
  /** Pattern. Arrays are copied. */
  readonly pattern: FillPattern;
}

/** Options of a fill of an image. */
export interface ImageFillLauncherOptions extends LauncherOptions, PixelBoxOptions {
  /** Image to fill. */
  readonly target: Image;
  /** Color of the pixels. */
  readonly pattern: Color;
}

/** Options of a fill of a view. */
export interface ViewFillLauncherOptions extends LauncherOptions {
  /** View whose elements are filled. Use a slice for a part of an array. */
  readonly target: DeviceView;
  /** Value of each element. */
  readonly pattern: DTypeValue;
}

/**
 * Fills a buffer or a part of it with a pattern, an image or a box of it with a color, or the elements of a view with a value.
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
