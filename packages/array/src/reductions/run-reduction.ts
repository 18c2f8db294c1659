/** Runs reductions of expressions, over operands of any layout. */
import { sizeOf } from "@cl/base";
import { hasParallelWorkItems } from "@cl/characterize";
import type { CommandQueue } from "@cl/core";
import type { ScalarValue } from "../expression/expression.js";
import { computeType } from "../kernels/compute-type.js";
import { sharedPrograms } from "../kernels/kernel-cache.js";
import type { Operand } from "../storage/operand.js";
import { typeNamed } from "../types/dtype-name.js";
import { launchReduction, prepare, type PreparedReduction, type Runner } from "./launch-reduction.js";
import { place, type Placed, type Placement } from "./placement.js";
import type { Reduction } from "../expression/reduction.js";
import type { MapStage, ReductionPlan, Step } from "./reduction-plan.js";
import { tileOf, wideOf } from "./wide-source.js";
import { combiningOf, divide, orientationOf } from "./work-division.js";

/** What is reduced, and along which axes of the inputs. */
export interface ReductionTask {
  readonly reduction: Reduction;
  readonly stage: MapStage;
  readonly axes: readonly number[];
}

/**
 * Reduces expressions of inputs, which have one shape, along some axes. The target has the axes that are left, in their order,
 * and shares no bytes with the inputs. Returns the plan, unless there is nothing to compute.
 */
export function runReduction(
  runner: Runner,
  task: ReductionTask,
  inputs: readonly Operand[],
  scalars: readonly ScalarValue[],
  target: Operand,
): PreparedReduction | undefined {
  if (sizeOf(target.layout.shape) === 0) return undefined;
  const prepared = prepareReduction(runner.queue, task, inputs, scalars, target);
  const elements = sizeOf(inputs[0]?.layout.shape ?? []);
  launchReduction(runner, prepared, {
    // Of no elements there is no memory either, but kernels need some as an argument, which they do not read then.
    memory: inputs.map(({ storage }) => (elements === 0 ? target.storage : storage).memory),
    reads: elements === 0 ? [] : inputs.map(({ storage }) => storage),
    values: scalars.map(({ value }) => value),
    target: target.storage,
  });
  return prepared;
}

/** Plans a reduction for the layouts of its operands, independent of their memory. */
function prepareReduction(
  queue: CommandQueue,
  { reduction, stage, axes }: ReductionTask,
  inputs: readonly Operand[],
  scalars: readonly ScalarValue[],
  target: Operand,
): PreparedReduction {
  const placed = inputs.map((operand) => placedOf(operand));
  const placement = place(placed, axes, placedOf(target), reduction.indexed);
  const { device } = queue;
  const together = hasParallelWorkItems(device);
  const orientation = orientationOf(placement, leaderOf(placement, inputs.length), together);
  const along = orientation === "rows" ? placement.reduced : placement.kept;
  const steps = inputs.map((_, k): Step => stepOf(along.strides[k]?.[0] ?? 0));
  const types = inputs.map(({ dtype }) => dtype);
  const wide = together ? 1 : wideOf(reduction, stage, types, steps);
  const adjacent = placement.kept.extents[0] ?? 1;
  const tile = tileOf(reduction, wide, adjacent);
  const vector = vectorOf(placement, orientation, placed, reduction);
  const work = divide(device, placement, orientation, { tile, vector });
  const plan: ReductionPlan = {
    reduction,
    stage,
    inputs: types,
    parameters: scalars.map(({ dtype }, k) => `const ${computeType(dtype)} s${k}`),
    names: scalars.map((_, k) => `s${k}`),
    target: target.dtype,
    orientation,
    kept: Math.max(1, placement.kept.extents.length),
    reduced: Math.max(1, placement.reduced.extents.length),
    steps,
    short: placement.short,
    combining: combiningOf(queue, orientation, work, placement),
    group: work.group,
    width: work.width,
    vector: work.vector,
    // With fewer adjacent results than a vector, the last vector would start before the first result.
    wide: orientation === "columns" && adjacent < wide ? 1 : wide,
    tile,
  };
  return prepare(queue, sharedPrograms, plan, work, placement);
}

function placedOf({ layout, dtype }: Operand): Placed {
  return { layout, itemSize: typeNamed(dtype).itemSize };
}

function stepOf(stride: number): Step {
  return stride === 0 || stride === 1 ? stride : "any";
}

/** The input that is least repeated. */
function leaderOf({ kept, reduced }: Placement, inputs: number): number {
  const places = Array.from({ length: inputs }, (_, k) =>
    [kept, reduced].reduce(
      (product, { extents, strides }) =>
        extents.reduce((all, extent, axis) => (strides[k]?.[axis] === 0 ? all : all * extent), product),
      1,
    ),
  );
  return Math.max(0, places.indexOf(Math.max(...places)));
}

/**
 * Returns the number of adjacent elements that can be loaded together: 16 bytes, if all vectors of all inputs are
 * aligned.
 */
function vectorOf(
  { kept, reduced, offsets }: Placement,
  orientation: "rows" | "columns",
  inputs: readonly Placed[],
  { accumulatorBytes }: Reduction,
): number {
  const widest = Math.max(1, ...inputs.map(({ itemSize }) => itemSize));
  const vector = Math.min(4, Math.floor(16 / widest));
  if (vector < 2 || accumulatorBytes > 8) return 1;
  const [inner, outer] = orientation === "rows" ? [reduced, kept] : [kept, reduced];
  if (orientation === "rows" ? inner.extents.length !== 1 : (inner.extents[0] ?? 1) % vector !== 0) return 1;
  const fits = inputs.every((_, k) => {
    const [step, ...others] = inner.strides[k] ?? [];
    if (step !== 1) return true;
    return [offsets[k] as number, ...others, ...(outer.strides[k] ?? [])].every((distance) => distance % vector === 0);
  });
  return fits ? vector : 1;
}
