/** Tunes kernels: local sizes and values of macros in their source. */
import { abortable, checkOptions, rangeError, typeError, wrongValue } from "@cl/base";
import { BuildError, CommandQueue, Context, type Device, Kernel, Program } from "@cl/core";

import { deviceLimits } from "./device-limits.js";
import { reasonOf } from "./device-track.js";
import { fits, type LocalLimits } from "./local-sizes.js";
import { measureCandidates, waitForQueue, reportProgress, type Variant } from "./measure-candidates.js";
import { tuningQueue } from "./tuning-queue.js";
import { planTuning, type TunePlan } from "./tune-plan.js";
import type { TuneOptions, TuningConfig, TuningResult, TuningSpace, TuningValues } from "./tune-types.js";
import { type CachedResult, TuningCache } from "./tuning-cache.js";
import { tuningKey } from "./tuning-key.js";

/**
 * Finds the fastest work-group size of a kernel, and the fastest values of macros in its source, by measuring: all candidates a
 * few times, the better ones more often. Uses a separate queue and copies of the memory that the kernel writes. The result is
 * cached on disk.
 *
 * @param where - a queue, whose device is used after its commands have ended; or a context, whose first device is used
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
  const device = queue?.device ?? firstDevice(context);
  // Parameter names are not statically known below.
  const checked = checkOptions(options, [
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
  const plan = planTuning(checked);
  const cache = cacheOf(checked, plan, device);
  const readCache = (): CachedResult | undefined => {
    if (checked.cache === false) return undefined;
    const cached = cache?.readSync((config) =>
      isPossible(config, plan, deviceLimits(device, optionsOf(checked, device))),
    );
    return cached !== undefined && (cached.verified || !checked.verify) ? cached : undefined;
  };
  const known = readCache();
  if (known !== undefined) return resultOf<S>(known, "cache");
  return tuningQueue.run(checked.signal, async () => {
    // An earlier tuning in the queue may have had the same key.
    const newlyCached = readCache();
    if (newlyCached !== undefined) return resultOf<S>(newlyCached, "cache");
    const measured = await measure(checked, plan, context, device, queue);
    await cache?.write(measured);
    return resultOf<S>(measured, "measured");
  });
}

function firstDevice({ devices }: Context): Device {
  return devices[0] as Device;
}

function resultOf<S extends TuningSpace>(cached: CachedResult, source: "cache" | "measured"): TuningResult<S> {
  const { best, candidates, possible } = cached;
  return { best, candidates, possible, source } as unknown as TuningResult<S>;
}

async function measure(
  options: TuneOptions,
  plan: TunePlan,
  context: Context,
  device: Device,
  queue: CommandQueue | undefined,
): Promise<CachedResult> {
  const { signal } = options;
  await waitForQueue(queue, signal);
  const owned: { release(): void }[] = [];
  try {
    const variants: Variant[] = [];
    const { chosen, possible } = plan.combinations;
    for (const [i, values] of chosen.entries()) {
      reportProgress(options.onProgress, {
        phase: "build",
        step: i + 1,
        steps: chosen.length,
        candidates: chosen.length,
      });
      const kernel = await kernelFor(values, options, context, device, owned);
      signal?.throwIfAborted();
      variants.push({ values, kernel, global: plan.global(values), locals: plan.locals(values) });
    }
    const { args, offset, limit, seed } = plan;
    const measured = await measureCandidates({ ...options, context, device, variants, args, offset, limit, seed });
    return { ...measured, possible: Math.round((measured.possible * possible) / chosen.length) };
  } finally {
    for (const resource of owned.toReversed()) resource.release();
  }
}

/** Returns the kernel for some values, or why it cannot be built. */
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
    const built: unknown = await abortable(Promise.resolve(build(values)), signal);
    if (!(built instanceof Program)) throw typeError("the result of options.build", "a Program", built);
    return built;
  }
  const built = new Program(context, source as string);
  try {
    const macros = Object.entries(values).map(([name, value]) => `-D${name}=${value}`);
    await built.build({
      options:
        typeof options === "string" ? [options, ...macros.map(shellQuoted)].join(" ") : [...(options ?? []), ...macros],
      devices: [device],
      ...(signal === undefined ? {} : { signal }),
    });
    return built;
  } catch (error) {
    built.release();
    throw error;
  }
}

/** Quotes an option as in a shell, since options in one string are split at spaces. */
function shellQuoted(option: string): string {
  return `'${option.replaceAll("'", `'"'"'`)}'`;
}

function kernelName(program: Program, name: string | undefined): string {
  const names = program.kernelNames;
  if (name === undefined) {
    if (names.length === 1) return names[0] as string;
    throw wrongValue(`options.kernel must be one of the program's kernels: ${names.join(", ") || "none"}`);
  }
  if (names.includes(name)) return name;
  throw rangeError("options.kernel", `a kernel of the program (${names.join(", ")})`, name);
}

/** Returns the disk cache; `undefined` if the program cannot be identified. */
function cacheOf(options: TuneOptions, plan: TunePlan, device: Device): TuningCache | undefined {
  const { source, program, build, key, kernel, local } = options;
  const text = build === undefined ? (source ?? program?.source ?? program?.il) : key;
  const [values] = plan.combinations.chosen;
  if (text === undefined || values === undefined) return undefined;
  const [first] = [plan.locals(values)].flat();
  const config: TuningConfig = { parameters: values, local: first === undefined || first === "auto" ? null : first };
  const locals = plan.combinations.chosen.map((combination) => plan.locals(combination));
  const space = { combinations: plan.combinations, locals, limit: plan.limit, seed: plan.seed, by: typeof local };
  const keyParts = {
    device,
    program: text,
    buildOptions: optionsOf(options, device),
    kernel: kernel ?? "",
    args: plan.args(config),
    global: plan.global(values),
    offset: plan.offset,
    space: JSON.stringify(space),
  };
  return new TuningCache(tuningKey(keyParts));
}

/** Returns the build options without the macros. */
function optionsOf({ program, options }: TuneOptions, device: Device): string {
  if (program !== undefined) return program.options(device);
  return [options ?? [], process.env["CL_BUILD_OPTIONS"] ?? []].flat().join(" ");
}

/** Whether a cached result is a possible result of this tuning. */
function isPossible(config: TuningConfig, plan: TunePlan, limits: LocalLimits): boolean {
  const values = plan.combinations.chosen.find((combination) => isEqual(combination, config.parameters));
  if (values === undefined) return false;
  const { local } = config;
  const locals = plan.locals(values);
  if (locals !== "auto" && !locals.some((candidate) => isEqual(candidate, local))) return false;
  return local === null || fits(local, plan.global(values), limits);
}

function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
