/** The broadcast shape of several shapes. */
import { outOfRange } from "@cl/base";

/** Counted from the last axis, extents must be equal or 1; what is missing in front counts as 1. */
export function broadcastShapes(shapes: readonly (readonly number[])[]): readonly number[] {
  const ndim = Math.max(0, ...shapes.map(({ length }) => length));
  return Array.from({ length: ndim }, (_, axis) => {
    let result = 1;
    for (const shape of shapes) {
      const extent = shape[axis - ndim + shape.length] ?? 1;
      if (extent === 1 || extent === result) continue;
      if (result !== 1) {
        const all = shapes.map((one) => `[${one.join()}]`).join(" and ");
        throw outOfRange(`shapes ${all} cannot be broadcast together; extents must be equal or 1`);
      }
      result = extent;
    }
    return result;
  });
}
