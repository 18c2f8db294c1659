/** Reductions that are written in OpenCL C, for kernels of one's own: of an index, with any type as the accumulator. */
import type { CompilerOptions } from "@cl/core";
import type { Storage } from "../storage/storage.js";
import { KernelCache, launchReduction, prepare, type Runner } from "./launch-reduction.js";
import type { Placement } from "./placement.js";
import type { ReductionPlan } from "./reduction-plan.js";
import { divide } from "./work-division.js";

/** What somebody wrote. */
export interface ReductionTexts {
  /** What it is called in messages. */
  readonly name: string;
  /** Everything that stands before the kernels: types, functions, extensions. */
  readonly preamble: string;
  /** The type in which elements are combined and results are stored, which may be a structure. */
  readonly accumulator: string;
  /** Bytes of such a value. */
  readonly accumulatorBytes: number;
  /** What leaves each value as it is when it is combined with it. */
  readonly neutral: string;
  /** An accumulator made of the index `i` and of the parameters. */
  readonly map: string;
  /** The accumulators `a` and `b` as one. */
  readonly reduce: string;
  /** The declarations of the parameters, such as `__global const float *const x`, and their names. */
  readonly parameters: readonly string[];
  readonly names: readonly string[];
  /** What the compiler is told. */
  readonly options?: CompilerOptions | undefined;
}

/** One run. */
export interface ReductionRun {
  /** How many indices there are, from 0 on. */
  readonly size: number;
  /** What the parameters are given: memory and values. */
  readonly values: readonly unknown[];
  /** What they read. */
  readonly reads: readonly Storage[];
  /** Where the result goes, and at which accumulator of that memory. */
  readonly target: Storage;
  readonly targetIndex: number;
}

/** A reduction with its kernels, which live as long as it does. Use it on queues of one context. */
export class TextReduction {
  readonly #texts: ReductionTexts;
  readonly #kernels = new KernelCache();

  constructor(texts: ReductionTexts) {
    this.#texts = texts;
  }

  /** Enqueues it. */
  run(runner: Runner, { size, values, reads, target, targetIndex }: ReductionRun): void {
    const { map, parameters, names, options, ...texts } = this.#texts;
    const short = size < 2 ** 31 - 2 ** 16 && targetIndex < 2 ** 31;
    const placement: Placement = {
      kept: { extents: [], strides: [] },
      reduced: { extents: [size], strides: [[1]] },
      offsets: [targetIndex, 0],
      outputs: 1,
      count: size,
      short,
    };
    const { device } = runner.queue;
    const { accumulatorBytes } = texts;
    const work = divide(device, placement, "rows", { tile: 1, vector: 1 });
    const plan: ReductionPlan = {
      reduction: {
        name: texts.name,
        key: "",
        functions: texts.preamble,
        accumulator: texts.accumulator,
        accumulatorBytes,
        doubles: false,
        identity: texts.neutral,
        lift: (value) => value,
        combine: () => texts.reduce,
        finish: (value) => value,
        result: "int64",
        vectors: false,
        indexed: true,
      },
      stage: { text: map },
      inputs: [],
      parameters,
      names,
      target: undefined,
      orientation: "rows",
      kept: 1,
      reduced: 1,
      steps: [],
      short,
      direct: work.parts === 1,
      group: work.group,
      width: work.width,
      vector: 1,
      options,
      wide: 1,
      tile: 1,
    };
    const prepared = prepare(runner.queue, this.#kernels, plan, work, placement);
    launchReduction(runner, prepared, { memory: [], reads, values, target });
  }
}
