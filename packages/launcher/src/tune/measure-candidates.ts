/** Performs a tuning: creates candidates from variants of a kernel, measures and ranks them. */
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
import type { CachedResult } from "./tuning-cache.js";

/** The kernel for one combination of tuning parameters. */
export interface Variant {
  readonly values: TuningValues;
  /** The kernel, or why it cannot be built. */
  readonly kernel: Kernel | string;
  readonly global: readonly number[];
  /** Local sizes to try. */
  readonly locals: "auto" | readonly (readonly number[] | null)[];
}

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
  /** Why it cannot run. */
  readonly reason?: string;
}

/** Measures all candidates of a task. */
export async function measureCandidates(task: TuningTask): Promise<CachedResult> {
  const { context, device, signal, limit, seed, verify } = task;
  const all = task.variants.flatMap((variant) => candidatesOf(variant, device));
  const unsupported = all.filter(({ reason }) => reason !== undefined);
  const possible = all.filter(({ reason }) => reason === undefined);
  const [first, ...others] = possible;
  if (first === undefined) throw noCandidateError(unsupported[0]?.reason);
  const chosen = [first, ...sample(others, limit - 1, randomNumbers(seed))];
  const runnables = chosen.map(({ config, variant }): Runnable => {
    const { global, kernel } = variant;
    return { kernel: kernel as Kernel, args: task.args(config), global, offset: task.offset, local: config.local };
  });
  const track = new DeviceTrack(context, device, runnables, signal);
  try {
    const rejected = verify ? await track.verify([...chosen.keys()], comparison(verify)) : new Map<number, string>();
    const remaining = [...chosen.keys()].filter((index) => !rejected.has(index));
    const standings = await successiveHalving(
      remaining.length,
      {
        run: (order) => track.run(order.map((i) => remaining[i] as number)),
        onRound: (step, steps, candidates) =>
          reportProgress(task.onProgress, { phase: "measure", step, steps, candidates }),
      },
      // The driver's choice is the baseline.
      { seconds: task.seconds ?? SECONDS, baseline: chosen[remaining[0] ?? 0]?.config.local === null ? 0 : undefined },
    );
    signal?.throwIfAborted();
    const candidates = [
      ...standings.map((standing) => outcome(standing, chosen[remaining[standing.index] as number] as Candidate)),
      ...[...rejected].map(([index, reason]) => failure((chosen[index] as Candidate).config, reason)),
      ...unsupported.map(({ config, reason }) => failure(config, reason)),
    ];
    const best = candidates[0];
    if (best?.medianNs === undefined) throw noCandidateError(best?.reason);
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

/** Default measuring time in seconds. */
export const SECONDS = 5;

/** Waits for a queue, so that the contents of the arguments are final. */
export async function waitForQueue(queue: CommandQueue | undefined, signal: AbortSignal | undefined): Promise<void> {
  await queue?.finish(signal === undefined ? {} : { signal });
}

/** Calls an optional progress listener. */
export function reportProgress(
  listener: ((progress: TuningProgress) => void) | undefined,
  progress: TuningProgress,
): void {
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
    const maximum = `at most ${limits.maxGroup} work-items in total and [${limits.maxSizes.join(", ")}] per dimension`;
    const rule = limits.nonUniform ? "" : ", and it must divide the global size";
    const required = limits.required === undefined ? "" : `, and the source requires [${limits.required.join(", ")}]`;
    return {
      ...candidate,
      reason: `the work-group size [${local.join(", ")}] is not supported: ${maximum}${rule}${required}`,
    };
  });
}

function outcome({ samples, rounds, reason }: Standing, { config }: Candidate): TuningCandidate {
  if (reason !== undefined) return { config, rounds, reason };
  return { config, medianNs: median(samples), rounds };
}

function failure(config: TuningConfig, reason = "did not run"): TuningCandidate {
  return { config, rounds: 0, reason };
}

function comparison(verify: true | TuningComparison): TuningComparison {
  return verify === true ? sameBytes : verify;
}

function sameBytes(values: ArrayBufferView, reference: ArrayBufferView): boolean {
  const bytes = (view: ArrayBufferView): Buffer => Buffer.from(view.buffer, view.byteOffset, view.byteLength);
  return bytes(values).equals(bytes(reference));
}

function noCandidateError(reason: string | undefined): TypeError {
  return wrongState(`no candidate can run${reason === undefined ? "" : `: ${reason}`}`);
}
