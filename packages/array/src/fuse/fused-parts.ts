/** The launches of a fused function: one kernel for all element-wise results, and reductions. */
import { wrongType } from "@cl/base";
import type { AnyArray, ArraySource } from "../storage/array-ref.js";
import { checkArray } from "../storage/check-array.js";
import { runDense } from "../elementwise/dense.js";
import type { DeviceArray } from "../array/arrays.js";
import { broadcastShapes } from "../shapes/broadcast-shapes.js";
import { broadcastTogether } from "../elementwise/elementwise.js";
import { store } from "../elementwise/elementwise-several.js";
import { type Expression, input, nodesOf, type ScalarValue, scalar, withLeaves } from "../expression/expression.js";
import { type ElementwisePlan, planOf } from "../kernels/elementwise-plan.js";
import { reduceArray } from "../reductions/reduce-array.js";
import { scanArray } from "../scan/scan-array.js";
import { type DTypeName, type TypedDType, typeNamed } from "../types/dtype-name.js";
import { type FusedPart, type PlacedPart, runParts } from "./run-parts.js";
import type { Source, Trace, TracedReduction, TracedScan } from "../tracing/trace.js";
import type { OperandLike } from "../storage/operand-like.js";
import type { ArrayScan } from "../expression/passes.js";

/** What a part needs of a trace. */
type Traced = Pick<Trace, "xp" | "sources" | "scalars">;

/** The operands that some expressions use. Traced values that no result needs are left out. */
class Operands {
  readonly expressions: readonly Expression[];
  readonly sources: readonly Source[];
  readonly scalars: readonly ScalarValue[];

  constructor(trace: Traced, expressions: readonly Expression[]) {
    const sources: Source[] = [];
    const scalars: ScalarValue[] = [];
    this.expressions = withLeaves(expressions, (leaf) =>
      leaf.kind === "input"
        ? input(sources.push(trace.sources[leaf.index] as Source) - 1, leaf.dtype)
        : scalar(scalars.push(trace.scalars[leaf.index] as ScalarValue) - 1, leaf.dtype),
    );
    if (sources.length === 0) throw wrongType("a fused function must compute its results from arrays");
    this.sources = sources;
    this.scalars = scalars;
  }

  /** The arrays, for the arguments of a call. */
  of(args: readonly OperandLike[]): AnyArray[] {
    return this.sources.map((source) => (typeof source === "number" ? (args[source] as AnyArray) : source));
  }
}

/** Results with an element for each element of their operands. */
export class FusedElements implements FusedPart {
  readonly #xp: ArraySource;
  readonly #operands: Operands;
  readonly #values: readonly (number | bigint)[];
  readonly #dtypes: readonly TypedDType<DTypeName>[];
  readonly #plan: ElementwisePlan;
  /** Indices of the inputs that each result depends on, if there are several results. */
  readonly #inputsOf: readonly (readonly number[])[];
  /** Parts for results of equal shape, by their positions. */
  readonly #groups = new Map<string, FusedElements>();

  constructor(trace: Traced, expressions: readonly Expression[]) {
    this.#xp = trace.xp;
    this.#operands = new Operands(trace, expressions);
    this.#values = this.#operands.scalars.map(({ value }) => value);
    this.#dtypes = this.#operands.expressions.map(({ dtype }) => typeNamed(dtype));
    this.#plan = planOf(trace.xp.queue, this.#operands.expressions);
    this.#inputsOf = expressions.length > 1 ? this.#operands.expressions.map(inputsOf) : [];
  }

  inputs(args: readonly OperandLike[]): AnyArray[] {
    return this.#operands.of(args);
  }

  run(inputs: readonly AnyArray[], outs: readonly (AnyArray | undefined)[] | undefined): AnyArray[] {
    return runDense(this.#plan, this.#dtypes, inputs, this.#values, outs) ?? this.#runAny(inputs, outs);
  }

  #runAny(inputs: readonly AnyArray[], outs: readonly (AnyArray | undefined)[] | undefined): AnyArray[] {
    const xp = this.#xp;
    checkAll(inputs, xp);
    const groups = this.#groupsFor(inputs);
    if (groups.length > 1) return runParts(groups, inputs, outs);
    const { expressions, scalars } = this.#operands;
    return store("the fused function", { xp, expressions, scalars, ...broadcastTogether(inputs) }, outs);
  }

  /** One part for each shape that the results have for these inputs. */
  #groupsFor(inputs: readonly AnyArray[]): readonly PlacedPart[] {
    const byShape = new Map<string, number[]>();
    for (const [position, indices] of this.#inputsOf.entries()) {
      const shape = String(broadcastShapes(indices.map((index) => (inputs[index] as AnyArray).shape)));
      const positions = byShape.get(shape);
      if (positions === undefined) byShape.set(shape, [position]);
      else positions.push(position);
    }
    if (byShape.size < 2) return [];
    return [...byShape.values()].map((positions) => ({ part: this.#group(positions), positions }));
  }

  #group(positions: readonly number[]): FusedElements {
    const key = positions.join();
    let group = this.#groups.get(key);
    if (group === undefined) {
      const { expressions, sources, scalars } = this.#operands;
      const own = positions.map((position) => expressions[position] as Expression);
      group = new FusedElements({ xp: this.#xp, sources: [...sources.keys()], scalars: [...scalars] }, own);
      this.#groups.set(key, group);
    }
    return group;
  }
}

function inputsOf(expression: Expression): readonly number[] {
  const indices: number[] = [];
  for (const node of nodesOf([expression])) if (node.kind === "input") indices.push(node.index);
  return indices;
}

/** The value that a reduction or a scan is of. */
type PassValue = Pick<ArrayScan, "value" | "scalars" | "inputs">;

/** A reduction or scan of what the function computes, in the same passes over memory. */
export class FusedPasses implements FusedPart {
  readonly #xp: ArraySource;
  readonly #traced: TracedReduction | TracedScan;
  readonly #operands: Operands;

  constructor(trace: Traced, traced: TracedReduction | TracedScan) {
    this.#xp = trace.xp;
    this.#traced = traced;
    this.#operands = new Operands(trace, [traced.value]);
  }

  inputs(args: readonly OperandLike[]): AnyArray[] {
    return this.#operands.of(args);
  }

  run(inputs: readonly AnyArray[], outs: readonly (AnyArray | undefined)[] | undefined): AnyArray[] {
    const [first, ...others] = broadcastFirst(inputs, this.#xp);
    using shown = first;
    const { expressions, scalars } = this.#operands;
    const value: PassValue = { value: expressions[0] as Expression, scalars, inputs: [shown, ...others] };
    const traced = this.#traced;
    const out = outs?.[0];
    return "scan" in traced
      ? [scanArray({ reduction: traced.scan.reduction, ...value }, { ...traced.options, out })]
      : [reduceArray({ ...traced.what, ...value }, { ...traced.options, out })];
  }
}

/** Broadcasts the first array to the shape of all; the caller releases it. */
function broadcastFirst(inputs: readonly AnyArray[], xp: ArraySource): [DeviceArray, ...AnyArray[]] {
  checkAll(inputs, xp);
  const [first, ...others] = inputs as readonly [DeviceArray, ...AnyArray[]];
  return [first.broadcastTo(broadcastTogether(inputs).shape), ...others];
}

function checkAll(arrays: readonly AnyArray[], xp: ArraySource): void {
  for (const one of arrays) checkArray(one, xp, "an argument of the fused function");
}
