/** Copies between views as options for `enqueueCopy`. */
import { boxCopy, outOfRange, stridedCopy, typeError } from "@cl/base";

import type { CopyOptions } from "../transfer/copy-options.js";
import { ArrayView, checkWritable } from "../host-view/array-view.js";

/**
 * Returns options for an `enqueueCopy` from the memory of one view to that of another of the same type and shape:
 * offsets and bytes, or a region with origins and pitches. `undefined` if no single copy suffices; use
 * `enqueueCopyFrom`, `enqueueRead` or `enqueueWrite` of a device view instead.
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
    throw outOfRange(`source must have the target's shape [${to.shape.join()}], received [${from.shape.join()}]`);
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
