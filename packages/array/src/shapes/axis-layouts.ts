/** Layouts with axes permuted, added, removed or merged. */
import { type Layout, maxAxes, rangeError, wrongValue } from "@cl/base";

/** The order of axes in which `source` stand at `destination`, and the others keep theirs. */
export function movedAxes(ndim: number, source: readonly number[], destination: readonly number[]): readonly number[] {
  const order = Array.from({ length: ndim }, () => -1);
  for (const [i, axis] of source.entries()) order[destination[i] as number] = axis;
  const others = [...order.keys()].filter((axis) => !source.includes(axis));
  return order.map((axis) => (axis >= 0 ? axis : (others.shift() as number)));
}

/** Axes of one element more, such that they are `added` of the result's. */
export function expandLayout({ shape, strides, offset }: Layout, added: readonly number[]): Layout {
  const length = shape.length + added.length;
  if (length > maxAxes) throw rangeError("axis", `such that at most ${maxAxes} axes result`, length);
  const own = shape.keys();
  const axes = Array.from({ length }, (_, axis) => (added.includes(axis) ? -1 : (own.next().value as number)));
  return {
    shape: axes.map((axis) => (axis < 0 ? 1 : (shape[axis] as number))),
    strides: axes.map((axis) => (axis < 0 ? 0 : (strides[axis] as number))),
    offset,
  };
}

/** Without these axes, each of which has one element. */
export function squeezeLayout({ shape, strides, offset }: Layout, axes: readonly number[]): Layout {
  for (const axis of axes) {
    if (shape[axis] === 1) continue;
    throw wrongValue(`axis must have length 1 to be removed, received axis ${axis} of the shape [${shape.join()}]`);
  }
  const keep = (_: number, axis: number): boolean => !axes.includes(axis);
  return { shape: shape.filter(keep), strides: strides.filter(keep), offset };
}

/** These axes from their ends. */
export function flipLayout({ shape, strides, offset }: Layout, axes: readonly number[]): Layout {
  // Empty axes have no last element to start from.
  const full = !shape.includes(0);
  const start = axes.reduce(
    (at, axis) => at + (full ? ((shape[axis] as number) - 1) * (strides[axis] as number) : 0),
    offset,
  );
  return { shape, strides: strides.map((stride, axis) => (axes.includes(axis) ? -stride : stride)), offset: start };
}

/** Elements whose index along `second` is that along `first` and `distance` more, along one axis, which comes last. */
export function diagonalLayout(
  { shape, strides, offset }: Layout,
  first: number,
  second: number,
  distance: number,
): Layout {
  const [rows, columns] = [shape[first] as number, shape[second] as number];
  const count = Math.max(0, distance < 0 ? Math.min(rows + distance, columns) : Math.min(rows, columns - distance));
  const start = distance < 0 ? -distance * (strides[first] as number) : distance * (strides[second] as number);
  const keep = (_: number, axis: number): boolean => axis !== first && axis !== second;
  return {
    shape: [...shape.filter(keep), count],
    strides: [...strides.filter(keep), (strides[first] as number) + (strides[second] as number)],
    offset: count > 0 ? offset + start : offset,
  };
}

/** Returns the layout of all windows along some axes; the axes within the window come last. */
export function windowLayout(
  { shape, strides, offset }: Layout,
  axes: readonly number[],
  extents: readonly number[],
): Layout {
  const left = [...shape];
  for (const [i, axis] of axes.entries()) {
    const extent = extents[i] as number;
    if (extent > (left[axis] as number)) {
      throw wrongValue(
        `window must fit into the shape [${shape.join()}], received [${extents.join()}], which is too large along axis ${axis}`,
      );
    }
    left[axis] = (left[axis] as number) - extent + 1;
  }
  return {
    shape: [...left, ...extents],
    strides: [...strides, ...axes.map((axis) => strides[axis] as number)],
    offset,
  };
}
