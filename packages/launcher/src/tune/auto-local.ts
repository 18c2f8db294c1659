/**
 * Local sizes of launchers with `local: "auto"`: tuned sizes by device and global size, from this process or the disk cache, and
 * the driver's choice if none is known.
 */
import { wrongValue } from "@cl/base";
import { type Device, DisposedError, type Kernel } from "@cl/core";

import type { LauncherSizes } from "../kernel/launcher-types.js";
import { isNumber } from "../parameters/parameter-type.js";
import { limitsOf } from "./device-limits.js";
import { fits } from "./local-sizes.js";
import { TuningCache } from "./tuning-cache.js";
import { tuningKey } from "./tuning-key.js";

/** A kernel and everything that determines its best local size. */
export interface LaunchInfo {
  readonly kernel: Kernel;
  readonly args: readonly unknown[];
  readonly global: readonly number[];
  readonly offset: readonly number[] | undefined;
}

/** Local sizes of one launcher. */
export class AutoLocal {
  readonly #known = new Map<Device, Map<string, readonly number[] | null>>();
  #changes = 0;

  /** Version; incremented when a size is set. */
  get changes(): number {
    return this.#changes;
  }

  /** Returns the size of a launch; `null` for the driver's choice or if unknown. The disk is read once. */
  find(info: LaunchInfo, device: Device): readonly number[] | null {
    const sizes = this.#sizesFor(device);
    const known = sizes.get(sizesKey(info));
    if (known !== undefined) return known;
    const cached = cachedSize(info, device);
    sizes.set(sizesKey(info), cached);
    return cached;
  }

  /** Stores a size. */
  set(info: LaunchInfo, device: Device, local: readonly number[] | null): void {
    this.#sizesFor(device).set(sizesKey(info), local);
    this.#changes++;
  }

  #sizesFor(device: Device): Map<string, readonly number[] | null> {
    const known = this.#known.get(device);
    if (known !== undefined) return known;
    const sizes = new Map<string, readonly number[] | null>();
    this.#known.set(device, sizes);
    return sizes;
  }
}

function sizesKey({ global, offset }: LaunchInfo): string {
  return `${global.join("x")} ${offset?.join(",")}`;
}

/** Returns the disk cache for a launcher; `undefined` if its program cannot be identified. */
export function launcherCache({ kernel, args, global, offset }: LaunchInfo, device: Device): TuningCache | undefined {
  const program = kernel.program.source ?? kernel.program.il;
  if (program === undefined) return undefined;
  return new TuningCache(
    tuningKey({
      device,
      program,
      buildOptions: kernel.program.options(device),
      kernel: kernel.name,
      // Numbers are not part of the key, and may not be known yet.
      args: args.map((value, i) => (isNumber(kernel.argTypes[i] as string) ? 0 : value)),
      global,
      offset,
      space: "the local size of a launcher",
    }),
  );
}

function cachedSize(info: LaunchInfo, device: Device): readonly number[] | null {
  try {
    const limits = limitsOf(info.kernel, device);
    const cached = launcherCache(info, device)?.readSync(({ local }) => {
      return local === null || fits(local, info.global, limits);
    });
    return cached?.best.local ?? null;
  } catch (error) {
    // A released program cannot be queried, but its kernels still run.
    if (error instanceof DisposedError) return null;
    throw error;
  }
}

/** Replaces `local: "auto"` by the driver's choice. Returns other sizes unchanged. */
export function withoutAuto(sizes: LauncherSizes): LauncherSizes {
  if (sizes.local !== "auto") return sizes;
  if (sizes.globalInGroups === true) {
    throw wrongValue('options.local cannot be "auto" with options.globalInGroups, which multiplies by it');
  }
  // Explicit, so that the kernel's default size is not used.
  return { ...sizes, local: null };
}
