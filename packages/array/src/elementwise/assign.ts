/** Assignment of arrays and values, with conversion. */
import { broadcastLayout, type Layout, sizeOf } from "@cl/base";
import { cast, input } from "../expression/expression.js";
import type { Operand } from "../storage/operand.js";
import { runExpressions } from "../kernels/run-expression.js";
import { shareBytes } from "../storage/overlap.js";
import { checkComputable } from "../types/capabilities.js";
import { type DTypeName, type FillValue, typeNamed } from "../types/dtype-name.js";
import { type Casting, checkCast } from "../types/promote.js";
import { checkArray, checkWritable } from "../storage/check-array.js";
import type { AnyArray } from "../storage/array-ref.js";

/**
 * Stores an array, broadcast to the target's shape. Where both share bytes, all are read before any is written. Imaginary
 * parts are only dropped where that is asked for.
 */
export function assign(target: AnyArray, source: AnyArray, casting: Casting = "safe"): void {
  checkWritable(target);
  checkArray(source, target.xp, "source");
  const to = target.operand();
  const from = source.operand();
  const { queue } = target.xp;
  if (from.dtype !== to.dtype) {
    checkCast(from.dtype, to.dtype, casting);
    for (const { dtype } of [from, to]) checkComputable(queue.device, dtype, "a conversion");
  }
  const shown = { ...from, layout: broadcastLayout(from.layout, to.layout.shape, "the target's shape") };
  const converted = cast(input(0, from.dtype), to.dtype);
  if (!sharesOtherPlaces(shown, to)) {
    runExpressions(queue, [converted], [shown], [], [to]);
    return;
  }
  using temporary = target.xp.empty(target.shape, { dtype: target.dtype });
  runExpressions(queue, [converted], [shown], [], [temporary.operand()]);
  runExpressions(queue, [input(0, to.dtype)], [temporary.operand()], [], [to]);
}

/** Stores one value in every element. */
export function fill(target: AnyArray, value: FillValue<DTypeName>): void {
  checkWritable(target);
  if (target.size === 0) return;
  using one = target.xp.full([], value, { dtype: target.dtype.name });
  assign(target, one);
}

/** True if an element of the source is at another place than its result, but shares bytes with some result. */
export function sharesOtherPlaces(source: Operand, target: Operand): boolean {
  if (!source.storage.meets(target.storage) || sizeOf(target.layout.shape) === 0) return false;
  const same = (one: Layout, other: Layout): boolean =>
    one.offset === other.offset && one.strides.every((stride, axis) => stride === other.strides[axis]);
  // A kernel that gets a buffer and a part of it, to read one and write the other, is not defined even at the same places.
  const isSame = source.storage === target.storage && widthOf(source) === widthOf(target);
  if (isSame && same(source.layout, target.layout)) return false;
  return shareBytes(source, target, Math.max(widthOf(source), widthOf(target)));
}

function widthOf({ dtype }: Operand): number {
  return typeNamed(dtype).itemSize;
}
