/** Parses launch sizes and other numbers of the command line. */
import type { Device, Kernel } from "@cl/core";

import { UsageError } from "../../command.js";

/** Parses `1024`, `640,480` or `8,8,8`, x first. Returns `undefined` if the option is missing. */
export function readSizes(text: string | undefined, option: string, min: number): readonly number[] | undefined {
  if (text === undefined) return undefined;
  const sizes = text.split(",").map((part) => (/^\s*\d+\s*$/u.test(part) ? Number(part) : Number.NaN));
  const valid = sizes.every((size) => Number.isSafeInteger(size) && size >= min);
  if (valid && sizes.length <= 3) return sizes;
  throw new UsageError(
    `--${option} must be one to three numbers of at least ${min}, such as 640,480, received "${text}".`,
  );
}

export function checkDimensions(global: readonly number[], other: readonly number[] | undefined, option: string): void {
  if (other === undefined || other.length === global.length) return;
  throw new UsageError(
    `--global has ${global.length} dimension${global.length === 1 ? "" : "s"}, but --${option} has ${other.length}.`,
  );
}

/** Returns the work-group size that a kernel requires (`reqd_work_group_size`); `undefined` if it requires none. */
export function requiredLocal(
  kernel: Kernel,
  device: Device,
  global: readonly number[],
): readonly number[] | undefined {
  const required = kernel.workGroup(device).compileWorkGroupSize;
  if (required.every((size) => size === 0)) return undefined;
  if (required.slice(global.length).some((size) => size > 1)) {
    throw new UsageError(
      `--global has ${global.length} dimension${global.length === 1 ? "" : "s"}, but ${kernel.name} requires work-groups of ` +
        `${required.join(",")} (reqd_work_group_size).`,
    );
  }
  return required.slice(0, global.length);
}

/** Runs `launch` and rewrites its errors to name command-line options. */
export async function withOptionNames<T>(launch: () => Promise<T>): Promise<T> {
  try {
    return await launch();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const message = error.message.replace(/\bsizes\.(global|local|offset)\b/gu, "--$1");
    throw message === error.message ? error : new Error(message, { cause: error });
  }
}

/** Parses an integer from `min` to `max`. */
export function readCount(
  text: string | undefined,
  option: string,
  min: number,
  max: number,
  defaultValue: number,
): number {
  if (text === undefined) return defaultValue;
  const count = /^\d+$/u.test(text) ? Number(text) : Number.NaN;
  if (count >= min && count <= max) return count;
  throw new UsageError(`--${option} must be an integer from ${min} to ${max}, received "${text}".`);
}

/** Parses `name=file.npy` options. */
export function readSaves(texts: readonly string[]): ReadonlyMap<string, string> {
  const saves = new Map<string, string>();
  for (const text of texts) {
    const [, name = "", file = ""] = /^([^=]+)=(.+)$/su.exec(text) ?? [];
    if (!/\.npy$/iu.test(file)) {
      throw new UsageError(`--save must be a parameter and a file, such as y=result.npy, received "${text}".`);
    }
    if (saves.has(name)) throw new UsageError(`--save: "${name}" is given twice.`);
    if ([...saves.values()].includes(file)) throw new UsageError(`--save: two results cannot be written to ${file}.`);
    saves.set(name, file);
  }
  return saves;
}
