/** Tunes launchers with `local: "auto"`. */
import { checkObject, checkOptions, wrongState, wrongValue } from "@cl/base";
import type { CommandQueue } from "@cl/core";

import { type Member, prefixError } from "../member.js";
import type { ParameterValues } from "../parameters/parameter-union.js";
import { launcherCache } from "./auto-local.js";
import { limitsOf } from "./device-limits.js";
import { fits } from "./local-sizes.js";
import { measureCandidates, waitForQueue } from "./measure-candidates.js";
import { tuningQueue } from "./tuning-queue.js";
import { checkRunOptions, LIMIT } from "./tune-plan.js";
import type { Tunable, TunableKernel } from "./tunable.js";
import type { TuningResult, TuningRunOptions } from "./tune-types.js";
import type { CachedResult } from "./tuning-cache.js";

/** Options for tuning a launcher. */
export interface LauncherTuneOptions<P extends object = {}> extends TuningRunOptions {
  /** Parameter values. @defaultValue the values of the last launch */
  readonly parameters?: Partial<P>;
}

/** Options for tuning a list. */
export interface ListTuneOptions<P extends object = {}> extends LauncherTuneOptions<P> {
  /**
   * Whether to also measure consecutive members against one kernel that runs them, as `resident` merges them, and to keep the
   * faster. @defaultValue false
   */
  readonly resident?: boolean;
}

/** Tuning result of one launcher. */
export interface LauncherTuning extends TuningResult {
  /** Name of the launcher. */
  readonly launcher: string;
}

/** Tunes a launcher of one kernel. */
export async function tuneLauncher(
  member: Member,
  parameterNames: Iterable<string>,
  queue: CommandQueue,
  options: LauncherTuneOptions | undefined,
): Promise<LauncherTuning> {
  const tunables = member.tunables?.(tuningValues(options, parameterNames, member.displayName)) ?? [];
  if (tunables.length === 0) throw wrongState(`${member.displayName} must have the option local: "auto" to be tuned`);
  const [result] = await tuneLaunchers(tunables, queue, options);
  return result as LauncherTuning;
}

/** Tunes launchers in sequence, each only once. */
export async function tuneLaunchers(
  tunables: readonly Tunable[],
  queue: CommandQueue,
  options: LauncherTuneOptions | undefined,
): Promise<readonly LauncherTuning[]> {
  const checked = checkObject<LauncherTuneOptions>(options);
  checkRunOptions(checked);
  const unique = tunables.filter(({ member }, i) => tunables.findIndex((other) => other.member === member) === i);
  for (const { member, values } of unique) setValues(member, values);
  const results: LauncherTuning[] = [];
  for (const { member } of unique) {
    try {
      results.push({ launcher: member.name, ...(await tuneMember(member, queue, checked)) });
    } catch (error) {
      checked.signal?.throwIfAborted();
      throw prefixError(member.displayName, error);
    }
  }
  return results;
}

export function tuningValues(
  options: LauncherTuneOptions | undefined,
  parameterNames: Iterable<string>,
  displayName: string,
): ParameterValues {
  const { parameters } = checkOptions(options, ["parameters", "verify", "cache", "seconds", "signal", "onProgress"]);
  const values = checkObject<object>(parameters, "options.parameters") as ParameterValues;
  const names = new Set(parameterNames);
  const unknown = Object.keys(values).find((name) => !names.has(name));
  if (unknown === undefined) return values;
  throw wrongValue(
    `${displayName} has no parameter "${unknown}"; available parameters: ${[...names].join(", ") || "none"}`,
  );
}

/** Sets parameter values. Parameters without a value keep theirs. */
function setValues(member: TunableKernel, values: ParameterValues): void {
  const { args, slots } = member;
  const all = Object.fromEntries(slots.map(({ name, index }) => [name, values[name] ?? args[index]]));
  const missing = slots.filter(({ name }) => all[name] === undefined).map(({ name }) => `"${name}"`);
  if (missing.length > 0) {
    throw wrongState(
      `${member.displayName} requires a value for ${missing.join(", ")}; pass options.parameters, or launch it first`,
    );
  }
  member.setParameters(all);
}

async function tuneMember(
  member: TunableKernel,
  queue: CommandQueue,
  options: LauncherTuneOptions,
): Promise<TuningResult> {
  const { auto } = member;
  if (auto === undefined) throw wrongState('the option local: "auto" is required for tuning');
  const info = member.launchInfo();
  const { kernel, args, global, offset } = info;
  const { device } = queue;
  const cache = launcherCache(info, device);
  const limits = limitsOf(kernel, device);
  const readCache = (): CachedResult | undefined => {
    if (options.cache === false) return undefined;
    const cached = cache?.readSync(({ local }) => local === null || fits(local, global, limits));
    return cached !== undefined && (cached.verified || !options.verify) ? cached : undefined;
  };
  const applyResult = (cached: CachedResult, source: "cache" | "measured"): TuningResult => {
    auto.set(info, device, cached.best.local);
    const { best, candidates, possible } = cached;
    return { best, candidates, possible, source };
  };
  return tuningQueue.run(options.signal, async () => {
    const cached = readCache();
    if (cached !== undefined) return applyResult(cached, "cache");
    await waitForQueue(queue, options.signal);
    // Clone the kernel to preserve its arguments.
    using clone = kernel.clone();
    const measured = await measureCandidates({
      ...options,
      context: queue.context,
      device,
      variants: [{ values: {}, kernel: clone, global, locals: "auto" }],
      args: () => args,
      offset,
      limit: LIMIT,
      seed: 1,
    });
    await cache?.write(measured);
    return applyResult(measured, "measured");
  });
}
