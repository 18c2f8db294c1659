/** Reductions written in OpenCL C, for user kernels: of an index, with any type as the accumulator. */
import { OwnerCache } from "@cl/base";
import type { CompilerOptions } from "@cl/core";
import type { ProgramCache } from "../kernels/kernel-cache.js";
import type { Storage } from "../storage/storage.js";
import { launchReduction, prepare, type Runner } from "./launch-reduction.js";
import type { Placement } from "./placement.js";
import type { ReductionPlan } from "./reduction-plan.js";
import { combiningOf, divide } from "./work-division.js";

/** The OpenCL C of a user's reduction. */
export interface ReductionTexts {
  /** The name shown in errors. */
  readonly name: string;
  /** OpenCL C before the kernels: types, functions, extensions. */
  readonly preamble: string;
  /** The type in which elements are combined and results are stored; may be a struct. */
  readonly accumulator: string;
  /** Size of the accumulator in bytes. */
  readonly accumulatorBytes: number;
  /** The identity element of the operation. */
  readonly identity: string;
  /** Expression of an accumulator from the index `i` and the parameters. */
  readonly map: string;
  /** Expression that combines the accumulators `a` and `b`. */
  readonly reduce: string;
  /** Declarations of the parameters, such as `__global const float *const x`, and their names. */
  readonly parameters: readonly string[];
  readonly names: readonly string[];
  /** Compiler options. */
  readonly options?: CompilerOptions | undefined;
}

/** One run of a reduction. */
export interface ReductionRun {
  /** Number of indices, from 0. */
  readonly size: number;
  /** The arguments: memory and values. */
  readonly values: readonly unknown[];
  /** The storages that are read. */
  readonly reads: readonly Storage[];
  /** The storage of the result, and the index of the accumulator in it. */
  readonly target: Storage;
  readonly targetIndex: number;
}

/** A reduction with its kernels, which it caches. Use it on queues of one context. */
export class TextReduction {
  readonly #texts: ReductionTexts;
  readonly #programs: ProgramCache = new OwnerCache();

  constructor(texts: ReductionTexts) {
    this.#texts = texts;
  }

  /** Enqueues the reduction. */
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
        identity: texts.identity,
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
      combining: combiningOf(runner.queue, "rows", work, placement),
      group: work.group,
      width: work.width,
      vector: 1,
      options,
      wide: 1,
      tile: 1,
    };
    const prepared = prepare(runner.queue, this.#programs, plan, work, placement);
    launchReduction(runner, prepared, { memory: [], reads, values, target });
  }
}
