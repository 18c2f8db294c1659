/** Measures merged kernels of resident lists against the launches of their members, and drops those that are slower. */
import { wrongState } from "@cl/base";
import { CommandQueue, Kernel } from "@cl/core";

import { KernelMember } from "../kernel/kernel-member.js";
import { ListMember } from "../list/list-member.js";
import type { ParameterValues } from "../parameters/parameter-union.js";
import type { Candidate, CandidateArgument } from "../resident/candidates.js";
import { type Merged, residentMember, type ResidencyPlan } from "../resident/residency.js";
import { residentName, wordsName } from "../resident/resident-source.js";
import { ArgumentCopies, type TuningArguments } from "./argument-copies.js";
import { reasonOf } from "./device-track.js";
import { median, type Standing, successiveHalving, type Track } from "./halving.js";
import { reportProgress, SECONDS, waitForQueue } from "./measure-candidates.js";
import type { LauncherTuning } from "./tune-launchers.js";
import type { TuningCandidate, TuningResult, TuningRunOptions } from "./tune-types.js";
import { type CachedResult, TuningCache } from "./tuning-cache.js";
import { tuningKey } from "./tuning-key.js";
import { tuningQueue } from "./tuning-queue.js";

/** Ways to run members. The first one is the one to beat. */
const forms = ["launches", "resident"] as const;

/** Measures each merged kernel of a plan whose programs are built. Those that are slower do not replace their members. */
export async function tuneResidency(
  { merged }: ResidencyPlan,
  values: ParameterValues,
  queue: CommandQueue,
  options: TuningRunOptions,
): Promise<readonly LauncherTuning[]> {
  const results: LauncherTuning[] = [];
  for (const one of merged) {
    if (one.apart !== undefined) continue;
    const result = await tuneMerged(one, values, queue, options);
    if (result.best.parameters["form"] !== "resident") one.apart = "its members are faster with their own launches";
    results.push({ launcher: one.name, ...result });
  }
  return results;
}

async function tuneMerged(
  merged: Merged,
  values: ParameterValues,
  queue: CommandQueue,
  options: TuningRunOptions,
): Promise<TuningResult> {
  const args = valuesByName(merged, values);
  const cache = cacheOf(merged, args, queue);
  return tuningQueue.run(options.signal, async (): Promise<TuningResult> => {
    const cached =
      options.cache === false
        ? undefined
        : cache.readSync(({ parameters }) => forms.some((form) => form === parameters["form"]));
    if (cached !== undefined) return { ...resultOf(cached), source: "cache" };
    await waitForQueue(queue, options.signal);
    const measured = await measure(merged, args, queue, options);
    await cache.write(measured);
    return { ...resultOf(measured), source: "measured" };
  });
}

function resultOf({ best, candidates, possible }: CachedResult): Omit<TuningResult, "source"> {
  return { best, candidates, possible };
}

/** Returns the values of the merged kernel's arguments by name. */
function valuesByName({ args, candidates }: Merged, values: ParameterValues): Readonly<Record<string, unknown>> {
  const all: Record<string, unknown> = { ...args.values };
  for (const candidate of candidates) {
    for (const argument of candidate.args) {
      const { parameter } = argument;
      if (parameter !== undefined) all[args.parameters[parameter] as string] = valueOf(argument, candidate, values);
    }
  }
  return all;
}

/** Returns the value of an argument. Parameters without a value have that of the last launch. */
function valueOf(
  { parameter, value }: CandidateArgument,
  { displayName }: Candidate,
  values: ParameterValues,
): unknown {
  const found = parameter === undefined ? value : (values[parameter] ?? value);
  if (found !== undefined) return found;
  throw wrongState(
    `${displayName} requires a value for "${parameter}"; pass options.parameters, or launch the list first`,
  );
}

function cacheOf(merged: Merged, args: Readonly<Record<string, unknown>>, { device }: CommandQueue): TuningCache {
  const { source, options, global } = merged;
  return new TuningCache(
    tuningKey({
      device,
      program: source,
      buildOptions: options,
      kernel: residentName,
      args: Object.values(args),
      global: [global],
      offset: undefined,
      space: forms.join(" or "),
    }),
  );
}

/** Measures both forms on copies of the memory. */
async function measure(
  merged: Merged,
  args: Readonly<Record<string, unknown>>,
  { context, device }: CommandQueue,
  { signal, seconds = SECONDS, onProgress }: TuningRunOptions,
): Promise<CachedResult> {
  using queue = new CommandQueue(context, { device, label: "tuning" });
  using kernel = new Kernel(merged.program, residentName);
  const copies = new ArgumentCopies(context);
  const owned: { release(): void }[] = [copies];
  try {
    const names = kernel.argNames.filter((name) => name !== wordsName) as string[];
    const inputs = copies.replaceArguments(kernel, [null, ...names.map((name) => args[name])]);
    const copied = new Map(names.map((name, i) => [args[name], inputs.args[i + 1]]));
    const replace = <M>(value: M): M => (copied.get(value) ?? value) as M;
    const launches = new ListMember(merged.name, "sequential");
    owned.push(launches);
    for (const candidate of merged.candidates) {
      const member = onCopies(candidate, args, merged, replace);
      owned.push(member);
      launches.push([member]);
    }
    const resident = residentMember(merged, Object.fromEntries(names.map((name) => [name, replace(args[name])])));
    owned.push(resident);
    const track = new FormTrack(queue, [launches, resident], inputs, signal);
    const standings = await successiveHalving(
      forms.length,
      {
        run: (order) => track.run(order),
        onRound: (step, steps, candidates) => reportProgress(onProgress, { phase: "measure", step, steps, candidates }),
      },
      { seconds, baseline: 0 },
    );
    signal?.throwIfAborted();
    const candidates = standings.map((standing) => candidateOf(standing));
    const [best] = candidates;
    return {
      best: best?.medianNs === undefined ? configOf(0) : best.config,
      candidates,
      possible: forms.length,
      verified: false,
    };
  } finally {
    await queue.finish().catch(() => undefined);
    for (const one of owned.toReversed()) one.release();
  }
}

function configOf(form: number): TuningCandidate["config"] {
  return { parameters: { form: forms[form] as string }, local: null };
}

function candidateOf({ index, samples, rounds, reason }: Standing): TuningCandidate {
  const config = configOf(index);
  return reason === undefined ? { config, medianNs: median(samples), rounds } : { config, rounds, reason };
}

/** Returns the member of a candidate on copies of its memory. */
function onCopies(
  { member, args: own }: Candidate,
  args: Readonly<Record<string, unknown>>,
  merged: Merged,
  replace: <M>(value: M) => M,
): KernelMember | ReturnType<Exclude<Candidate["member"], KernelMember>["withMemory"]> {
  if (!(member instanceof KernelMember)) return member.withMemory(replace);
  return member.withArguments(
    own.map(({ parameter, value }) =>
      replace(parameter === undefined ? value : args[merged.args.parameters[parameter] as string]),
    ),
  );
}

/** Launches forms repeatedly, since the cost of a launch matters, too. */
class FormTrack implements Track {
  readonly #queue: CommandQueue;
  readonly #forms: readonly ListMember[];
  readonly #inputs: TuningArguments;
  readonly #wait: { readonly signal?: AbortSignal };
  /** Launches of a run. */
  #launches = 1;

  constructor(
    queue: CommandQueue,
    members: readonly ListMember[],
    inputs: TuningArguments,
    signal: AbortSignal | undefined,
  ) {
    this.#queue = queue;
    this.#forms = members;
    this.#inputs = inputs;
    this.#wait = signal === undefined ? {} : { signal };
  }

  /** Runs each form in turn. Returns nanoseconds per launch, or why a form failed. */
  async run(order: readonly number[]): Promise<readonly (number | string)[]> {
    const results: (number | string)[] = [];
    for (const index of order) results.push(await this.#time(this.#forms[index] as ListMember));
    const slowest = Math.max(1, ...results.filter((result) => typeof result === "number"));
    this.#launches = Math.max(1, Math.min(MOST_LAUNCHES, Math.ceil(RUN_NS / slowest)));
    return results;
  }

  async #time(form: ListMember): Promise<number | string> {
    const queue = this.#queue;
    const launches = this.#launches;
    try {
      this.#inputs.restore(queue);
      await queue.finish(this.#wait);
      const start = performance.now();
      for (let launch = 0; launch < launches; launch++) form.launch(queue);
      await queue.finish(this.#wait);
      return ((performance.now() - start) * 1e6) / launches;
    } catch (error) {
      this.#wait.signal?.throwIfAborted();
      return reasonOf(error);
    }
  }
}

/** Nanoseconds of a run after which the time of its end is negligible. */
const RUN_NS = 4e6;
const MOST_LAUNCHES = 256;
