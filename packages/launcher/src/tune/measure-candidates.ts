/** The work of a tuning: candidates are made of variants of a kernel, run against each other, and ranked. */
import { randomNumbers, wrongState } from "@cl/base";
import type { CommandQueue, Context, Device, Kernel } from "@cl/core";

import { limitsOf } from "./device-limits.js";
import { DeviceTrack, type Runnable } from "./device-track.js";
import { median, type Standing, successiveHalving } from "./halving.js";
import { fits, localSizes } from "./local-sizes.js";
import { sample } from "./sample.js";
import type {
  TuningCandidate,
  TuningComparison,
  TuningConfig,
  TuningProgress,
  TuningRunOptions,
  TuningValues,
} from "./tune-types.js";
import type { KeptResult } from "./tuning-cache.js";

/** The kernel for one combination of the tuning parameters' values. */
export interface Variant {
  readonly values: TuningValues;
  /** The kernel, or why there is none. */
  readonly kernel: Kernel | string;
  readonly global: readonly number[];
  /** The sizes to try, or those that promise something. */
  readonly locals: "auto" | readonly (readonly number[] | null)[];
}

/** What is tuned. */
export interface TuningTask extends TuningRunOptions {
  readonly context: Context;
  readonly device: Device;
  readonly variants: readonly Variant[];
  readonly args: (config: TuningConfig) => readonly unknown[];
  readonly offset: readonly number[] | undefined;
  readonly limit: number;
  readonly seed: number;
}

interface Candidate {
  readonly config: TuningConfig;
  readonly variant: Variant;
  /** Why it is none. */
  readonly reason?: string;
}

/** Measures all candidates of a task. */
export async function measureCandidates(task: TuningTask): Promise<KeptResult> {
  const { context, device, signal, limit, seed, verify } = task;
  const all = task.variants.flatMap((variant) => candidatesOf(variant, device));
  const hopeless = all.filter(({ reason }) => reason !== undefined);
  const possible = all.filter(({ reason }) => reason === undefined);
  const [first, ...others] = possible;
  if (first === undefined) throw nothingRuns(hopeless[0]?.reason);
  const chosen = [first, ...sample(others, limit - 1, randomNumbers(seed))];
  const runnables = chosen.map(({ config, variant }): Runnable => {
    const { global, kernel } = variant;
    return { kernel: kernel as Kernel, args: task.args(config), global, offset: task.offset, local: config.local };
  });
  const track = new DeviceTrack(context, device, runnables, signal);
  try {
    const wrong = verify ? await track.verify([...chosen.keys()], comparison(verify)) : new Map<number, string>();
    const left = [...chosen.keys()].filter((index) => !wrong.has(index));
    const standings = await successiveHalving(
      left.length,
      {
        run: (order) => track.run(order.map((i) => left[i] as number)),
        onRound: (step, steps, candidates) => tell(task.onProgress, { phase: "measure", step, steps, candidates }),
      },
      // The driver's choice is what has to be beaten.
      { seconds: task.seconds ?? SECONDS, baseline: chosen[left[0] ?? 0]?.config.local === null ? 0 : undefined },
    );
    signal?.throwIfAborted();
    const candidates = [
      ...standings.map((standing) => outcome(standing, chosen[left[standing.index] as number] as Candidate)),
      ...[...wrong].map(([index, reason]) => failure((chosen[index] as Candidate).config, reason)),
      ...hopeless.map(({ config, reason }) => failure(config, reason)),
    ];
    const best = candidates[0];
    if (best?.medianNs === undefined) throw nothingRuns(best?.reason);
    return {
      best: best.config,
      candidates,
      possible: possible.length,
      verified: verify !== undefined && verify !== false,
    };
  } finally {
    track.release();
  }
}

/** Seconds of measuring, if nobody says how many. */
const SECONDS = 5;

/** Waits until what is on a queue has ended, so that the arguments' contents are what they will be. */
export async function settled(queue: CommandQueue | undefined, signal: AbortSignal | undefined): Promise<void> {
  await queue?.finish(signal === undefined ? {} : { signal });
}

/** Tells somebody, if there is anybody. */
export function tell(listener: ((progress: TuningProgress) => void) | undefined, progress: TuningProgress): void {
  listener?.(Object.freeze(progress));
}

function candidatesOf(variant: Variant, device: Device): readonly Candidate[] {
  const { values: parameters, kernel, global, locals } = variant;
  if (typeof kernel === "string") return [{ config: { parameters, local: null }, variant, reason: kernel }];
  const limits = limitsOf(kernel, device);
  const tried = locals === "auto" ? [null, ...localSizes(global, limits)] : locals;
  return tried.map((local) => {
    const candidate = { config: { parameters, local }, variant };
    if (local === null || fits(local, global, limits)) return candidate;
    const most = `at most ${limits.maxGroup} work-items, [${limits.maxSizes.join(", ")}] in the dimensions`;
    const rule = limits.nonUniform ? "" : ", and the global size in whole groups";
    const required = limits.required === undefined ? "" : `, and the source requires [${limits.required.join(", ")}]`;
    return { ...candidate, reason: `a group of [${local.join(", ")}] does not go here: ${most}${rule}${required}` };
  });
}

function outcome({ samples, rounds, reason }: Standing, { config }: Candidate): TuningCandidate {
  if (reason !== undefined) return { config, rounds, reason };
  return { config, medianNs: median(samples), rounds };
}

function failure(config: TuningConfig, reason = "it did not run"): TuningCandidate {
  return { config, rounds: 0, reason };
}

function comparison(verify: true | TuningComparison): TuningComparison {
  return verify === true ? sameBytes : verify;
}

function sameBytes(values: ArrayBufferView, reference: ArrayBufferView): boolean {
  const bytes = (view: ArrayBufferView): Buffer => Buffer.from(view.buffer, view.byteOffset, view.byteLength);
  return bytes(values).equals(bytes(reference));
}

function nothingRuns(reason: string | undefined): TypeError {
  return wrongState(`no candidate can run${reason === undefined ? "" : `: ${reason}`}`);
}
