/** Tuning of launchers that were made with `local: "auto"`. */
import { checkObject, checkOptions, wrongState, wrongValue } from "@cl/base";
import type { CommandQueue } from "@cl/core";

import { prefixError } from "../member.js";
import type { ParameterValues } from "../parameters/parameter-union.js";
import { launcherCache } from "./auto-local.js";
import { limitsOf } from "./device-limits.js";
import { fits } from "./local-sizes.js";
import { measureCandidates, settled } from "./measure-candidates.js";
import { turns } from "./turns.js";
import { checkRunOptions, LIMIT } from "./tune-plan.js";
import type { Tunable, TunableKernel } from "./tunable.js";
import type { TuningResult, TuningRunOptions } from "./tune-types.js";
import type { KeptResult } from "./tuning-cache.js";

/** How to tune a launcher. */
export interface LauncherTuneOptions<P extends object = {}> extends TuningRunOptions {
  /** Values of its parameters; those that it was launched with last may be left out. */
  readonly parameters?: Partial<P>;
}

/** What was found for one launcher. */
export interface LauncherTuning extends TuningResult {
  /** Its name. */
  readonly launcher: string;
}

/** Tunes one after the other; each only once. */
export async function tuneLaunchers(
  tunables: readonly Tunable[],
  queue: CommandQueue,
  options: LauncherTuneOptions | undefined,
): Promise<readonly LauncherTuning[]> {
  const given = checkObject<LauncherTuneOptions>(options);
  checkRunOptions(given);
  const once = tunables.filter(({ member }, i) => tunables.findIndex((other) => other.member === member) === i);
  for (const { member, values } of once) takeValues(member, values);
  const results: LauncherTuning[] = [];
  for (const { member } of once) {
    try {
      results.push({ launcher: member.name, ...(await tuneMember(member, queue, given)) });
    } catch (error) {
      given.signal?.throwIfAborted();
      throw prefixError(member.displayName, error);
    }
  }
  return results;
}

/** The values of the parameters that a tuning is given, checked. */
export function tuningValues(
  options: LauncherTuneOptions | undefined,
  known: Iterable<string>,
  displayName: string,
): ParameterValues {
  const { parameters } = checkOptions(options, ["parameters", "verify", "cache", "seconds", "signal", "onProgress"]);
  const values = checkObject<object>(parameters, "options.parameters") as ParameterValues;
  const names = new Set(known);
  const unknown = Object.keys(values).find((name) => !names.has(name));
  if (unknown === undefined) return values;
  throw wrongValue(`${displayName} has no parameter "${unknown}": it has ${[...names].join(", ") || "none"}`);
}

/** Parameters that are given take their values, the others keep theirs. */
function takeValues(member: TunableKernel, values: ParameterValues): void {
  const { args, slots } = member;
  const all = Object.fromEntries(slots.map(({ name, index }) => [name, values[name] ?? args[index]]));
  const missing = slots.filter(({ name }) => all[name] === undefined).map(({ name }) => `"${name}"`);
  if (missing.length > 0) {
    throw wrongState(
      `${member.displayName} has no value for ${missing.join(", ")} yet: tune it with options.parameters, or launch it first`,
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
  if (auto === undefined) throw wrongState('it is not made for tuning: make it with local: "auto"');
  const current = member.current();
  const { kernel, args, global, offset } = current;
  const { device } = queue;
  const cache = launcherCache(current, device);
  const limits = limitsOf(kernel, device);
  const look = (): KeptResult | undefined => {
    if (options.cache === false) return undefined;
    const kept = cache?.readSync(({ local }) => local === null || fits(local, global, limits));
    return kept !== undefined && (kept.verified || !options.verify) ? kept : undefined;
  };
  const answer = (kept: KeptResult, from: "cache" | "measured"): TuningResult => {
    auto.set(current, device, kept.best.local);
    const { best, candidates, possible } = kept;
    return { best, candidates, possible, from };
  };
  return turns.take(options.signal, async () => {
    const known = look();
    if (known !== undefined) return answer(known, "cache");
    await settled(queue, options.signal);
    // Its own arguments stay as they are.
    using own = kernel.clone();
    const found = await measureCandidates({
      ...options,
      context: queue.context,
      device,
      variants: [{ values: {}, kernel: own, global, locals: "auto" }],
      args: () => args,
      offset,
      limit: LIMIT,
      seed: 1,
    });
    await cache?.write(found);
    return answer(found, "measured");
  });
}
