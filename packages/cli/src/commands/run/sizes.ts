/** Reads the sizes of a launch and other numbers of the command line. */
import type { Device, Kernel } from "@cl/core";

import { UsageError } from "../../command.js";

/** `1024`, `640,480` or `8,8,8`, x first; undefined if it was not given. */
export function readExtents(text: string | undefined, option: string, least: number): readonly number[] | undefined {
  if (text === undefined) return undefined;
  const extents = text.split(",").map((part) => (/^\s*\d+\s*$/u.test(part) ? Number(part) : Number.NaN));
  const good = extents.every((extent) => Number.isSafeInteger(extent) && extent >= least);
  if (good && extents.length <= 3) return extents;
  throw new UsageError(`--${option} takes one to three numbers of at least ${least}, as 640,480, received "${text}".`);
}

/** The sizes of work-groups must fit those of the launch. */
export function checkDimensions(global: readonly number[], other: readonly number[] | undefined, option: string): void {
  if (other === undefined || other.length === global.length) return;
  throw new UsageError(
    `--global has ${global.length} dimension${global.length === 1 ? "" : "s"}, but --${option} has ${other.length}.`,
  );
}

/** Returns the work-group size that a kernel requires (`reqd_work_group_size`); undefined if it does not. */
export function requiredLocal(
  kernel: Kernel,
  device: Device,
  global: readonly number[],
): readonly number[] | undefined {
  const required = kernel.workGroup(device).compileWorkGroupSize;
  if (required.every((extent) => extent === 0)) return undefined;
  if (required.slice(global.length).some((extent) => extent > 1)) {
    throw new UsageError(
      `--global has ${global.length} dimension${global.length === 1 ? "" : "s"}, but ${kernel.name} requires work-groups of ` +
        `${required.join(",")} (reqd_work_group_size).`,
    );
  }
  return required.slice(0, global.length);
}

/** Runs `launch`. Its errors name the options of the command line, not those of a program. */
export async function withOptionNames<T>(launch: () => Promise<T>): Promise<T> {
  try {
    return await launch();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const message = error.message.replace(/\bsizes\.(global|local|offset)\b/gu, "--$1");
    throw message === error.message ? error : new Error(message, { cause: error });
  }
}

/** A number from `least` to `most`. */
export function readCount(
  text: string | undefined,
  option: string,
  least: number,
  most: number,
  missing: number,
): number {
  if (text === undefined) return missing;
  const count = /^\d+$/u.test(text) ? Number(text) : Number.NaN;
  if (count >= least && count <= most) return count;
  throw new UsageError(`--${option} takes a number from ${least} to ${most}, received "${text}".`);
}

/** `name=file.npy`, several times. */
export function readSaves(texts: readonly string[]): ReadonlyMap<string, string> {
  const saves = new Map<string, string>();
  for (const text of texts) {
    const [, name = "", file = ""] = /^([^=]+)=(.+)$/su.exec(text) ?? [];
    if (!/\.npy$/iu.test(file)) {
      throw new UsageError(`--save takes the name of a parameter and of a file, as y=result.npy, received "${text}".`);
    }
    if (saves.has(name)) throw new UsageError(`--save names "${name}" twice.`);
    if ([...saves.values()].includes(file)) throw new UsageError(`--save has two results for ${file}.`);
    saves.set(name, file);
  }
  return saves;
}
