/** What a fused function launches: one kernel for all results that have an element for each of the operands, and reductions. */
import { wrongType } from "@cl/core/checks";
import type { AnyArray } from "../array/any-array.js";
import type { OperandLike } from "../array/array-operators.js";
import type { Arrays } from "../array/arrays.js";
import { checkArray } from "../array/check-array.js";
import { runDense } from "../array/dense.js";
import type { DeviceArray } from "../array/device-array.js";
import { broadcastTogether } from "../array/elementwise.js";
import { store } from "../array/elementwise-several.js";
import { type Expression, input, type ScalarValue, scalar, withLeaves } from "../expression/expression.js";
import { type ElementwisePlan, planOf } from "../kernels/elementwise-plan.js";
import { type ArrayReduction, reduceArray } from "../reductions/reduce-array.js";
import { type ArrayScan, scanArray } from "../scan/scan-array.js";
import { type DTypeName, type TypedDType, typeNamed } from "../types/dtype-name.js";
import type { Source, Trace, TracedReduction, TracedScan } from "./trace.js";

/** Some of a function's results, which are computed together. */
export interface FusedPart {
  /** Computes them; `outs` has the places of those that have one. */
  run(args: readonly OperandLike[], outs: readonly (AnyArray | undefined)[] | undefined): AnyArray[];
}

/** The operands of some expressions. What was computed for nothing brings none. */
class Operands {
  readonly expressions: readonly Expression[];
  readonly sources: readonly Source[];
  readonly scalars: readonly ScalarValue[];

  constructor(trace: Trace, expressions: readonly Expression[]) {
    const sources: Source[] = [];
    const scalars: ScalarValue[] = [];
    this.expressions = withLeaves(expressions, (leaf) =>
      leaf.kind === "input"
        ? input(sources.push(trace.sources[leaf.index] as Source) - 1, leaf.dtype)
        : scalar(scalars.push(trace.scalars[leaf.index] as ScalarValue) - 1, leaf.dtype),
    );
    if (sources.length === 0) throw wrongType("a fused function must compute its results of arrays");
    this.sources = sources;
    this.scalars = scalars;
  }

  /** The arrays, for the arguments of a call. */
  of(args: readonly OperandLike[]): AnyArray[] {
    return this.sources.map((source) => (typeof source === "number" ? (args[source] as AnyArray) : source));
  }

  /** The same for what runs along axes: the first, which is to be released, has the shape of all. */
  along(args: readonly OperandLike[], xp: Arrays): [DeviceArray, ...AnyArray[]] {
    const [first, ...others] = this.of(args) as [DeviceArray, ...AnyArray[]];
    checkAll([first, ...others], xp);
    return [first.broadcastTo(broadcastTogether([first, ...others]).shape), ...others];
  }
}

/** Results with an element for each element of the operands. */
export class FusedElements implements FusedPart {
  readonly #xp: Arrays;
  readonly #operands: Operands;
  readonly #values: readonly (number | bigint)[];
  readonly #dtypes: readonly TypedDType<DTypeName>[];
  readonly #plan: ElementwisePlan;

  constructor(trace: Trace, expressions: readonly Expression[]) {
    this.#xp = trace.xp;
    this.#operands = new Operands(trace, expressions);
    this.#values = this.#operands.scalars.map(({ value }) => value);
    this.#dtypes = this.#operands.expressions.map(({ dtype }) => typeNamed(dtype));
    this.#plan = planOf(trace.xp.queue, this.#operands.expressions);
  }

  run(args: readonly OperandLike[], outs: readonly (AnyArray | undefined)[] | undefined): AnyArray[] {
    const inputs = this.#operands.of(args);
    return runDense(this.#plan, this.#dtypes, inputs, this.#values, outs) ?? this.#runAny(inputs, outs);
  }

  #runAny(inputs: readonly AnyArray[], outs: readonly (AnyArray | undefined)[] | undefined): AnyArray[] {
    const xp = this.#xp;
    checkAll(inputs, xp);
    const { expressions, scalars } = this.#operands;
    return store("the fused function", { xp, expressions, scalars, ...broadcastTogether(inputs) }, outs);
  }
}

/** A reduction of what the function computes, in the same pass over memory. */
export class FusedReduction implements FusedPart {
  readonly #xp: Arrays;
  readonly #operands: Operands;
  readonly #traced: TracedReduction;

  constructor(trace: Trace, traced: TracedReduction) {
    this.#xp = trace.xp;
    this.#operands = new Operands(trace, [traced.value]);
    this.#traced = traced;
  }

  run(args: readonly OperandLike[], outs: readonly (AnyArray | undefined)[] | undefined): AnyArray[] {
    const [first, ...others] = this.#operands.along(args, this.#xp);
    using shown = first;
    const { what, options } = this.#traced;
    const { expressions, scalars } = this.#operands;
    const reduction: ArrayReduction = {
      ...what,
      value: expressions[0] as Expression,
      scalars,
      inputs: [shown, ...others],
    };
    return [reduceArray(reduction, { ...options, out: outs?.[0] })];
  }
}

/** A scan of what the function computes, in the same passes over memory. */
export class FusedScan implements FusedPart {
  readonly #xp: Arrays;
  readonly #operands: Operands;
  readonly #traced: TracedScan;

  constructor(trace: Trace, traced: TracedScan) {
    this.#xp = trace.xp;
    this.#operands = new Operands(trace, [traced.value]);
    this.#traced = traced;
  }

  run(args: readonly OperandLike[], outs: readonly (AnyArray | undefined)[] | undefined): AnyArray[] {
    const [first, ...others] = this.#operands.along(args, this.#xp);
    using shown = first;
    const { scan, options } = this.#traced;
    const { expressions, scalars } = this.#operands;
    const value = expressions[0] as Expression;
    const what: ArrayScan = { reduction: scan.reduction, value, scalars, inputs: [shown, ...others] };
    return [scanArray(what, { ...options, out: outs?.[0] })];
  }
}

function checkAll(arrays: readonly AnyArray[], xp: Arrays): void {
  for (const one of arrays) checkArray(one, xp, "an argument of the fused function");
}
