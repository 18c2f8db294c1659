/** The same elements under another shape: reshaped, transposed, broadcast. No element moves. */
import { checkInteger, outOfRange, rangeError, typeError } from "../checks/check.js";
import { checkShape, contiguousStrides, type Layout, mostAxes, type Shape, sizeOf } from "./layout.js";

/** A shape of `size` elements, of whose extents one may be -1: then it is what the others leave. */
export function completeShape(value: Shape, size: number, name: string, what = "the view"): readonly number[] {
  const list = Array.isArray(value) ? (value as readonly number[]) : [value as number];
  // Throws. No search in a list that is too long, which may be all holes.
  if (list.length > mostAxes) checkShape(value, name);
  const open = list.indexOf(-1);
  if (open < 0) {
    const shape = checkShape(value, name);
    if (sizeOf(shape) !== size) {
      throw outOfRange(`${name} [${shape.join()}] has ${sizeOf(shape)} elements, but ${what} has ${size}`);
    }
    return shape;
  }
  if (list.includes(-1, open + 1)) throw outOfRange(`${name} [${list.join()}] has -1 more than once`);
  const others = sizeOf(checkShape(list.with(open, 1), name));
  if (others === 0 || size % others !== 0) {
    throw outOfRange(`${name} [${list.join()}] cannot be completed: ${what} has ${size} elements`);
  }
  return list.with(open, size / others);
}

/**
 * The layout under another shape of the same size, elements in C order; undefined where they would have to be copied.
 * Runs of axes of both shapes that hold equally many elements are matched, and each run must be evenly spaced.
 */
export function reshapeLayout(layout: Layout, shape: readonly number[], itemSize: number): Layout | undefined {
  const { offset } = layout;
  if (layout.strides.length !== layout.shape.length) {
    throw rangeError("layout.strides", `as many numbers as layout.shape [${layout.shape.join()}] has`, layout.strides);
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
    let [has, wants] = [(axes[from] as { extent: number }).extent, shape[to] as number];
    while (has !== wants) {
      // Extents that are negative or no integers may have equal products without equal runs.
      if (fromEnd >= axes.length && toEnd >= shape.length) throw unequalSizes(layout, shape);
      if (has < wants && fromEnd < axes.length) has *= (axes[fromEnd++] as { extent: number }).extent;
      else wants *= shape[toEnd++] as number;
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
  return rangeError("shape", `extents with as many elements as layout.shape [${layout.shape.join()}]`, shape);
}

/** The axes in another order; reversed if not said. */
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
    throw rangeError("axes", `each of the ${length} axes once`, axes);
  }
  return order;
}

/**
 * The layout repeated to fill a shape: axes of one element, and axes that are new in front, get the distance 0.
 */
export function broadcastLayout(layout: Layout, shape: readonly number[], name = "shape"): Layout {
  const added = shape.length - layout.shape.length;
  const fail = (): never => {
    throw outOfRange(
      `${name} [${shape.join()}] is none that [${layout.shape.join()}] can be broadcast to: counted from the last, extents must be equal, or 1 in the view`,
    );
  };
  if (added < 0 || shape.length > mostAxes) fail();
  const strides = shape.map((extent, i) => {
    if (i < added) return 0;
    const own = layout.shape[i - added] as number;
    if (own === extent) return layout.strides[i - added] as number;
    return own === 1 ? 0 : fail();
  });
  return { shape, strides, offset: layout.offset };
}
