/** Tuning of a kernel that is not built yet: its source, macros to choose values for, and sizes. */
import { abortable, checkOptions, rangeError, typeError, wrongValue } from "@cl/base";
import { BuildError, CommandQueue, Context, type Device, Kernel, Program } from "@cl/core";

import { deviceLimits } from "./device-limits.js";
import { reasonOf } from "./device-track.js";
import { fits, type LocalLimits } from "./local-sizes.js";
import { measureCandidates, settled, tell, type Variant } from "./measure-candidates.js";
import { turns } from "./turns.js";
import { planTuning, type TunePlan } from "./tune-plan.js";
import type { TuneOptions, TuningConfig, TuningResult, TuningSpace, TuningValues } from "./tune-types.js";
import { type KeptResult, TuningCache } from "./tuning-cache.js";
import { tuningKey } from "./tuning-key.js";

/**
 * Finds the fastest work-group size of a kernel, and the fastest values for macros in its source, by running it: all
 * candidates a few times, the better ones more often. It runs on a queue of its own, and what the kernel writes are copies.
 * The result is kept on disk, and found there the next time.
 *
 * @param where - a queue, whose device is meant and whose commands are waited for first; or a context, for its first device
 *
 * @example
 * ```ts
 * const source = `__kernel void twice(__global float *x) {
 *   for (int i = 0; i < ITEMS; i++) x[get_global_id(0) * ITEMS + i] *= 2;
 * }`;
 * const { best } = await tune(queue, {
 *   source,
 *   args: [x],
 *   parameters: { ITEMS: [1, 2, 4] },
 *   global: ({ ITEMS }) => x.length / ITEMS,
 *   seconds: 0.1,
 * });
 * const program = await new Program(context, source).build({ options: `-DITEMS=${best.parameters.ITEMS}` });
 * ```
 */
export async function tune<const S extends TuningSpace = {}>(
  where: CommandQueue | Context,
  options: TuneOptions<S>,
): Promise<TuningResult<S>> {
  const queue = where instanceof CommandQueue ? where : undefined;
  const context = queue?.context ?? where;
  if (!(context instanceof Context)) throw typeError("where", "a CommandQueue or a Context", where);
  const device = queue?.device ?? firstOf(context);
  // Inside, parameters are names like any others.
  const given = checkOptions(options, [
    "source",
    "program",
    "build",
    "key",
    "options",
    "kernel",
    "args",
    "parameters",
    "when",
    "global",
    "offset",
    "local",
    "limit",
    "seed",
    "verify",
    "cache",
    "seconds",
    "signal",
    "onProgress",
  ]) as unknown as TuneOptions;
  const plan = planTuning(given);
  const cache = cacheOf(given, plan, device);
  const look = (): KeptResult | undefined => {
    if (given.cache === false) return undefined;
    const kept = cache?.readSync((config) => isPossible(config, plan, deviceLimits(device, optionsOf(given, device))));
    return kept !== undefined && (kept.verified || !given.verify) ? kept : undefined;
  };
  const known = look();
  if (known !== undefined) return resultOf<S>(known, "cache");
  return turns.take(given.signal, async () => {
    // Somebody ahead in the line may have had the same question.
    const meanwhile = look();
    if (meanwhile !== undefined) return resultOf<S>(meanwhile, "cache");
    const found = await measure(given, plan, context, device, queue);
    await cache?.write(found);
    return resultOf<S>(found, "measured");
  });
}

function firstOf({ devices }: Context): Device {
  return devices[0] as Device;
}

function resultOf<S extends TuningSpace>(kept: KeptResult, from: "cache" | "measured"): TuningResult<S> {
  const { best, candidates, possible } = kept;
  return { best, candidates, possible, from } as unknown as TuningResult<S>;
}

async function measure(
  options: TuneOptions,
  plan: TunePlan,
  context: Context,
  device: Device,
  queue: CommandQueue | undefined,
): Promise<KeptResult> {
  const { signal } = options;
  await settled(queue, signal);
  const owned: { release(): void }[] = [];
  try {
    const variants: Variant[] = [];
    const { chosen, possible } = plan.combinations;
    for (const [i, values] of chosen.entries()) {
      tell(options.onProgress, { phase: "build", step: i + 1, steps: chosen.length, candidates: chosen.length });
      const kernel = await kernelFor(values, options, context, device, owned);
      signal?.throwIfAborted();
      variants.push({ values, kernel, global: plan.global(values), locals: plan.locals(values) });
    }
    const { args, offset, limit, seed } = plan;
    const found = await measureCandidates({ ...options, context, device, variants, args, offset, limit, seed });
    return { ...found, possible: Math.round((found.possible * possible) / chosen.length) };
  } finally {
    for (const one of owned.toReversed()) one.release();
  }
}

/** The kernel for some values, or why there is none. */
async function kernelFor(
  values: TuningValues,
  options: TuneOptions,
  context: Context,
  device: Device,
  owned: { release(): void }[],
): Promise<Kernel | string> {
  try {
    const program = await programFor(values, options, context, device);
    if (program !== options.program) owned.push(program);
    const kernel = new Kernel(program, kernelName(program, options.kernel));
    owned.push(kernel);
    return kernel;
  } catch (error) {
    options.signal?.throwIfAborted();
    if (!(error instanceof BuildError)) return reasonOf(error);
    const [first] = error.diagnostics;
    return first === undefined ? reasonOf(error) : `it does not compile: ${first.message}`;
  }
}

async function programFor(
  values: TuningValues,
  { source, program, build, options, signal }: TuneOptions,
  context: Context,
  device: Device,
): Promise<Program> {
  if (program !== undefined) return program;
  if (build !== undefined) {
    const made: unknown = await abortable(Promise.resolve(build(values)), signal);
    if (!(made instanceof Program)) throw typeError("the result of options.build", "a Program", made);
    return made;
  }
  const made = new Program(context, source as string);
  try {
    const macros = Object.entries(values).map(([name, value]) => `-D${name}=${value}`);
    await made.build({
      options:
        typeof options === "string" ? [options, ...macros.map(quoted)].join(" ") : [...(options ?? []), ...macros],
      devices: [device],
      ...(signal === undefined ? {} : { signal }),
    });
    return made;
  } catch (error) {
    made.release();
    throw error;
  }
}

/** As a shell would have it: options in one string are split at blanks. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", `'"'"'`)}'`;
}

function kernelName(program: Program, name: string | undefined): string {
  const names = program.kernelNames;
  if (name === undefined) {
    if (names.length === 1) return names[0] as string;
    throw wrongValue(`options.kernel must say which of the program's kernels: ${names.join(", ") || "it has none"}`);
  }
  if (names.includes(name)) return name;
  throw rangeError("options.kernel", `a kernel of the program (${names.join(", ")})`, name);
}

/** Nothing if the disk cannot know the program. */
function cacheOf(options: TuneOptions, plan: TunePlan, device: Device): TuningCache | undefined {
  const { source, program, build, key, kernel, local } = options;
  const text = build === undefined ? (source ?? program?.source ?? program?.il) : key;
  const [values] = plan.combinations.chosen;
  if (text === undefined || values === undefined) return undefined;
  const [first] = [plan.locals(values)].flat();
  const config: TuningConfig = { parameters: values, local: first === undefined || first === "auto" ? null : first };
  const locals = plan.combinations.chosen.map((one) => plan.locals(one));
  const space = { combinations: plan.combinations, locals, limit: plan.limit, seed: plan.seed, by: typeof local };
  const question = {
    device,
    program: text,
    buildOptions: optionsOf(options, device),
    kernel: kernel ?? "",
    args: plan.args(config),
    global: plan.global(values),
    offset: plan.offset,
    space: JSON.stringify(space),
  };
  return new TuningCache(tuningKey(question));
}

/** What compilers are told, macros apart. */
function optionsOf({ program, options }: TuneOptions, device: Device): string {
  if (program !== undefined) return program.options(device);
  return [options ?? [], process.env["CL_BUILD_OPTIONS"] ?? []].flat().join(" ");
}

/** Whether a result that somebody kept could have been found here. */
function isPossible(config: TuningConfig, plan: TunePlan, limits: LocalLimits): boolean {
  const values = plan.combinations.chosen.find((one) => same(one, config.parameters));
  if (values === undefined) return false;
  const { local } = config;
  const locals = plan.locals(values);
  if (locals !== "auto" && !locals.some((one) => same(one, local))) return false;
  return local === null || fits(local, plan.global(values), limits);
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
