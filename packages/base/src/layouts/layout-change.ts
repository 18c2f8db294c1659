/** Layouts of reshaped, transposed and broadcast views. No element is copied. */
import { checkInteger, outOfRange, rangeError, typeError } from "../checks/check.js";
import { checkShape, contiguousStrides, type Layout, maxAxes, type Shape, sizeOf } from "./layout.js";

/** Returns a shape of `size` elements. One extent may be -1: it is inferred from the others. */
export function completeShape(value: Shape, size: number, name: string, what = "the view"): readonly number[] {
  const list = Array.isArray(value) ? (value as readonly number[]) : [value as number];
  // Throws before `indexOf` searches a list that is too long and may be all holes.
  if (list.length > maxAxes) checkShape(value, name);
  const inferred = list.indexOf(-1);
  if (inferred < 0) {
    const shape = checkShape(value, name);
    if (sizeOf(shape) !== size) {
      throw outOfRange(`${name} [${shape.join()}] has ${sizeOf(shape)} elements, but ${what} has ${size}`);
    }
    return shape;
  }
  if (list.includes(-1, inferred + 1)) throw outOfRange(`${name} must have at most one -1, received [${list.join()}]`);
  const others = sizeOf(checkShape(list.with(inferred, 1), name));
  if (others === 0 || size % others !== 0) {
    throw outOfRange(`${name} [${list.join()}] cannot be inferred: ${what} has ${size} elements`);
  }
  return list.with(inferred, size / others);
}

/**
 * Returns the layout for another shape of the same size, with the elements in C order; `undefined` if that needs a
 * copy. Groups of axes with equal element counts are matched between both shapes; each group must be evenly strided.
 */
export function reshapeLayout(layout: Layout, shape: readonly number[], itemSize: number): Layout | undefined {
  const { offset } = layout;
  if (layout.strides.length !== layout.shape.length) {
    throw rangeError("layout.strides", `one number per axis of layout.shape [${layout.shape.join()}]`, layout.strides);
  }
  if (sizeOf(shape) !== sizeOf(layout.shape)) throw unequalSizes(layout, shape);
  if (shape.includes(0)) return { shape, strides: contiguousStrides(shape, itemSize), offset };
  const axes = layout.shape.flatMap((extent, i) =>
    extent === 1 ? [] : [{ extent, stride: layout.strides[i] as number }],
  );
  const strides = shape.map(() => itemSize);
  let [from, to] = [0, 0];
  while (from < axes.length && to < shape.length) {
    let [fromEnd, toEnd] = [from + 1, to + 1];
    let [fromSize, toSize] = [(axes[from] as { extent: number }).extent, shape[to] as number];
    while (fromSize !== toSize) {
      // Negative or fractional extents can have equal products but no equal groups.
      if (fromEnd >= axes.length && toEnd >= shape.length) throw unequalSizes(layout, shape);
      if (fromSize < toSize && fromEnd < axes.length) fromSize *= (axes[fromEnd++] as { extent: number }).extent;
      else toSize *= shape[toEnd++] as number;
    }
    for (let i = from; i + 1 < fromEnd; i++) {
      const [outer, inner] = [axes[i], axes[i + 1]] as [{ stride: number }, { extent: number; stride: number }];
      if (outer.stride !== inner.extent * inner.stride) return undefined;
    }
    let stride = (axes[fromEnd - 1] as { stride: number }).stride;
    for (let i = toEnd - 1; i >= to; i--) {
      strides[i] = stride;
      stride *= shape[i] as number;
    }
    [from, to] = [fromEnd, toEnd];
  }
  return { shape, strides, offset };
}

function unequalSizes(layout: Layout, shape: readonly number[]): RangeError {
  return rangeError("shape", `a shape of the same size as layout.shape [${layout.shape.join()}]`, shape);
}

/** Returns the layout with its axes permuted. @defaultValue `axes`: in reverse order */
export function transposeLayout(layout: Layout, axes?: readonly number[]): Layout {
  const { length } = layout.shape;
  const order = axes === undefined ? Array.from({ length }, (_, i) => length - 1 - i) : permutation(axes, length);
  return {
    shape: order.map((axis) => layout.shape[axis] as number),
    strides: order.map((axis) => layout.strides[axis] as number),
    offset: layout.offset,
  };
}

function permutation(axes: readonly number[], length: number): readonly number[] {
  if (!Array.isArray(axes)) throw typeError("axes", "an array of axes", axes);
  const order = Array.from(axes as readonly number[], (axis, i) => {
    checkInteger(axis, `axes[${i}]`, -length, length - 1);
    return axis < 0 ? axis + length : axis;
  });
  if (order.length !== length || new Set(order).size !== length) {
    throw rangeError("axes", `a permutation of the ${length} axes`, axes);
  }
  return order;
}

/** Returns the layout broadcast to a shape: axes of extent 1 and new leading axes get stride 0. */
export function broadcastLayout(layout: Layout, shape: readonly number[], name = "shape"): Layout {
  const added = shape.length - layout.shape.length;
  const fail = (): never => {
    throw outOfRange(
      `${name} must be a shape that [${layout.shape.join()}] can be broadcast to, received [${shape.join()}]; counted from the last axis, extents must be equal or 1 in the view`,
    );
  };
  if (added < 0 || shape.length > maxAxes) fail();
  const strides = shape.map((extent, i) => {
    if (i < added) return 0;
    const own = layout.shape[i - added] as number;
    if (own === extent) return layout.strides[i - added] as number;
    return own === 1 ? 0 : fail();
  });
  return { shape, strides, offset: layout.offset };
}
