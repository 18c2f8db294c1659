/** Copies between views in the words of `enqueueCopy`. */
import { boxCopy, outOfRange, stridedCopy, typeError } from "@cl/base";

import type { CopyOptions } from "../transfer/copy-options.js";
import { ArrayView, checkWritable } from "../host-view/array-view.js";

/**
 * How one copy takes the elements of a view to those of another, which has the same type and shape: offsets and bytes, or
 * a region with origins and pitches, for `enqueueCopy` with the memory of both. Undefined where no single copy does it:
 * `enqueueCopyFrom`, `enqueueRead` and `enqueueWrite` of device views know how to go on.
 *
 * @example
 * ```ts
 * const grid = new DeviceView(DeviceBuffer.empty(context, Float32Array, 64), { shape: [8, 8] });
 * const part = new HostView(new Float32Array(6), { shape: [2, 3] });
 * const inside = grid.slice("1:3", "2:5");
 * console.log(rectangleOf(part, inside)?.region); // [ 12, 2, 1 ]
 * ```
 */
export function rectangleOf(target: ArrayView, source: ArrayView): Omit<CopyOptions, "waitFor"> | undefined {
  const [to, from] = [checkView(target, "target"), checkView(source, "source")];
  checkWritable({ type: to.dtype, itemSize: to.itemSize, layout: to, readonly: to.readonly });
  if (!from.dtype.equals(to.dtype)) throw typeError("source", `a view of ${to.dtype.name} elements`, from);
  if (String(from.shape) !== String(to.shape)) {
    throw outOfRange(`source has the shape [${from.shape.join()}], but target [${to.shape.join()}]`);
  }
  if (to.size === 0) return { bytes: 0, sourceOffset: 0, targetOffset: 0 };
  const copy = stridedCopy(from, to, to.itemSize);
  if (copy.shape.length === 0) {
    return { bytes: copy.run, sourceOffset: copy.from.offset, targetOffset: copy.to.offset };
  }
  const box = boxCopy(copy);
  if (box === undefined) return undefined;
  return {
    region: box.region,
    sourceOrigin: box.from.origin,
    sourcePitches: box.from.pitches,
    targetOrigin: box.to.origin,
    targetPitches: box.to.pitches,
  };
}

function checkView(view: unknown, name: string): ArrayView {
  if (view instanceof ArrayView) return view;
  throw typeError(name, "a DeviceView or a HostView", view);
}
