/** Storing arrays and values in arrays, with conversion. */
import { wrongType } from "@cl/core/checks";
import { broadcastLayout, type Layout, layoutsOverlap, sizeOf } from "@cl/core/layouts";
import { cast, type Expression } from "../expression/expression.js";
import { type Operand, runExpression } from "../kernels/run-expression.js";
import { checkComputable } from "../types/capabilities.js";
import { type DTypeName, typeNamed, type ValueOf } from "../types/dtype-name.js";
import { kindOf } from "../types/promote.js";
import type { AnyArray } from "./any-array.js";
import { checkArray, checkWritable } from "./check-array.js";

/** Stores an array, broadcast to the target's shape. Where both share bytes, all are read before any is written. */
export function assign(target: AnyArray, source: AnyArray): void {
  checkWritable(target);
  checkArray(source, target.xp, "source");
  const to = target.operand();
  const from = source.operand();
  const { queue } = target.xp;
  if (from.dtype !== to.dtype) {
    if (kindOf(from.dtype) === 4 && kindOf(to.dtype) < 3 && to.dtype !== "bool") throw noReal(from.dtype, to.dtype);
    if (kindOf(from.dtype) === 4 && kindOf(to.dtype) === 3) throw noReal(from.dtype, to.dtype);
    for (const { dtype } of [from, to]) {
      if (kindOf(dtype) !== 4) checkComputable(queue.device, dtype, "a conversion");
    }
  }
  const layout = broadcastLayout(from.layout, to.layout.shape, "the target's shape");
  const input = { ...from, layout };
  const plan = (dtype: DTypeName): Expression => cast({ kind: "input", index: 0, dtype: from.dtype }, dtype);
  if (!sharesOtherPlaces(input, to)) {
    runExpression(queue, plan(to.dtype), [input], [], to);
    return;
  }
  using temporary = target.xp.empty(target.shape, { dtype: target.dtype });
  runExpression(queue, plan(to.dtype), [input], [], temporary.operand());
  const stored: Expression = { kind: "input", index: 0, dtype: to.dtype };
  runExpression(queue, stored, [temporary.operand()], [], to);
}

/** Stores one value in every element. */
export function fill(target: AnyArray, value: ValueOf<DTypeName>): void {
  checkWritable(target);
  if (target.size === 0) return;
  using one = target.xp.full([], value, { dtype: target.dtype.name });
  assign(target, one);
}

/** True if an element of the input is at another place than its result, but shares bytes with some result. */
export function sharesOtherPlaces(input: Operand, target: Operand): boolean {
  if (input.storage !== target.storage || sizeOf(target.layout.shape) === 0) return false;
  const same = (one: Layout, other: Layout): boolean =>
    one.offset === other.offset && one.strides.every((stride, axis) => stride === other.strides[axis]);
  if (widthOf(input) === widthOf(target) && same(input.layout, target.layout)) return false;
  return layoutsOverlap(input.layout, target.layout, Math.max(widthOf(input), widthOf(target)));
}

function widthOf({ dtype }: Operand): number {
  return typeNamed(dtype).itemSize;
}

function noReal(from: DTypeName, to: DTypeName): TypeError {
  return wrongType(`${from} cannot be stored as ${to}: the imaginary part would be lost`);
}
