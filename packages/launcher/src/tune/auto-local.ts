/**
 * The local sizes of a launcher that leaves them to tuning: what was found for a device and a global size, now or by an
 * earlier process, and the driver's choice where nothing is known.
 */
import { wrongValue } from "@cl/base";
import { type Device, DisposedError, type Kernel } from "@cl/core";

import type { LauncherSizes } from "../kernel/launcher-types.js";
import { isNumber } from "../parameters/parameter-type.js";
import { limitsOf } from "./device-limits.js";
import { fits } from "./local-sizes.js";
import { TuningCache } from "./tuning-cache.js";
import { tuningKey } from "./tuning-key.js";

/** A kernel with what decides its best local size. */
export interface Launched {
  readonly kernel: Kernel;
  readonly args: readonly unknown[];
  readonly global: readonly number[];
  readonly offset: readonly number[] | undefined;
}

/** The local sizes of one launcher. */
export class AutoLocal {
  readonly #known = new Map<Device, Map<string, readonly number[] | null>>();
  #changes = 0;

  /** Grows when something new was found. */
  get changes(): number {
    return this.#changes;
  }

  /** The size for a launch; null where that is the driver's choice, or nothing is known. The disk is asked once. */
  find(current: Launched, device: Device): readonly number[] | null {
    const sizes = this.#sizesFor(device);
    const known = sizes.get(nameOf(current));
    if (known !== undefined) return known;
    const kept = keptSize(current, device);
    sizes.set(nameOf(current), kept);
    return kept;
  }

  /** Remembers what was found. */
  set(current: Launched, device: Device, local: readonly number[] | null): void {
    this.#sizesFor(device).set(nameOf(current), local);
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

function nameOf({ global, offset }: Launched): string {
  return `${global.join("x")} ${offset?.join(",")}`;
}

/** The place of a launcher's result on disk; nothing if the disk cannot know the program. */
export function launcherCache({ kernel, args, global, offset }: Launched, device: Device): TuningCache | undefined {
  const program = kernel.program.source ?? kernel.program.il;
  if (program === undefined) return undefined;
  return new TuningCache(
    tuningKey({
      device,
      program,
      buildOptions: kernel.program.options(device),
      kernel: kernel.name,
      // Numbers do not count, and may not be known yet.
      args: args.map((value, i) => (isNumber(kernel.argTypes[i] as string) ? 0 : value)),
      global,
      offset,
      space: "the local size of a launcher",
    }),
  );
}

function keptSize(current: Launched, device: Device): readonly number[] | null {
  try {
    const limits = limitsOf(current.kernel, device);
    const kept = launcherCache(current, device)?.readSync(({ local }) => {
      return local === null || fits(local, current.global, limits);
    });
    return kept?.best.local ?? null;
  } catch (error) {
    // Of a program that has been released nobody can ask anything; its kernels run all the same.
    if (error instanceof DisposedError) return null;
    throw error;
  }
}

/** The sizes without `local: "auto"`; the same object where that is not asked for. */
export function withoutAuto(sizes: LauncherSizes): LauncherSizes {
  if (sizes.local !== "auto") return sizes;
  if (sizes.globalInGroups === true) {
    throw wrongValue('options.local cannot be "auto" beside options.globalInGroups, which multiplies by it');
  }
  // Stated, so that no default of the kernel takes its place.
  return { ...sizes, local: null };
}
