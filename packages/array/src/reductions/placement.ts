/** The layout of reduced operands, with as few axes as possible: kept and reduced ones. */
import { type Layout, sizeOf } from "@cl/base";

/** Axes, the innermost first, with distances in elements. */
export interface AxisList {
  readonly extents: readonly number[];
  /** One list for each operand: the inputs, and then the result for axes that stay, the index for those that go. */
  readonly strides: readonly (readonly number[])[];
}

/** Where everything is. */
export interface Placement {
  readonly kept: AxisList;
  readonly reduced: AxisList;
  /** First places: those of the inputs, the result's, and the first index. */
  readonly offsets: readonly number[];
  /** How many results there are. */
  readonly outputs: number;
  /** How many elements make one result. */
  readonly count: number;
  /** True if all places fit into 32 bits. */
  readonly short: boolean;
}

/** An operand with its layout. */
export interface Placed {
  readonly layout: Layout;
  readonly itemSize: number;
}

interface Axis {
  readonly extent: number;
  /** The inputs', and then the result's or the index's. */
  readonly strides: readonly number[];
}

/**
 * Returns the layout of inputs of one shape, and of a result along the axes that are kept. Axes are ordered by the
 * memory layout of the first input that is not broadcast, and flipped so that it is read forwards: the order of a
 * reduction is unspecified.
 */
export function place(inputs: readonly Placed[], axes: readonly number[], result: Placed, indexed: boolean): Placement {
  const shape = inputs[0]?.layout.shape ?? [];
  const inElements = ({ layout, itemSize }: Placed, axis: number): number =>
    (layout.strides[axis] as number) / itemSize;
  const offsets = [...inputs, result].map(({ layout, itemSize }) => layout.offset / itemSize);
  offsets.push(0);
  const leader = leading(inputs.map(({ layout }) => layout));
  const kept: Axis[] = [];
  const reduced: Axis[] = [];
  let weight = 1;
  const weights = new Map<number, number>();
  for (const axis of [...axes].sort((a, b) => b - a)) {
    weights.set(axis, indexed ? weight : 0);
    weight *= shape[axis] as number;
  }
  let at = 0;
  for (const [axis, extent] of shape.entries()) {
    const own = weights.get(axis);
    let strides = inputs.map((input) => inElements(input, axis));
    strides.push(own ?? inElements(result, at++));
    if (extent === 1) continue;
    if ((strides[leader] as number) < 0) {
      for (const [k, stride] of strides.entries()) {
        // The last of the strides is the index's for axes that go.
        const operand = k === inputs.length && own !== undefined ? k + 1 : k;
        (offsets[operand] as number) += (extent - 1) * stride;
      }
      strides = strides.map((stride) => -stride);
    }
    (own === undefined ? kept : reduced).push({ extent, strides });
  }
  const lists = { kept: merged(kept, leader), reduced: merged(reduced, leader) };
  const outputs = sizeOf(lists.kept.extents);
  const count = sizeOf(lists.reduced.extents);
  // Kernels count to one step behind the end.
  const most = 2 ** 31 - 2 ** 24;
  const reach = offsets.every((offset, k) => {
    const span = (list: AxisList): number =>
      (list.strides[Math.min(k, inputs.length)] ?? []).reduce(
        (sum, stride, axis) => sum + Math.abs(stride) * ((list.extents[axis] as number) - 1),
        0,
      );
    return Math.abs(offset) + span(lists.kept) + span(lists.reduced) < most;
  });
  return { ...lists, offsets, outputs, count, short: reach && outputs * Math.max(count, 1) < most };
}

/** The input whose order in memory decides. */
function leading(layouts: readonly Layout[]): number {
  const places = layouts.map(({ shape, strides }) =>
    shape.reduce((product, extent, axis) => (strides[axis] === 0 ? product : product * extent), 1),
  );
  return Math.max(0, places.indexOf(Math.max(...places)));
}

/** Axes that are evenly spaced in all operands become one. */
function merged(axes: Axis[], leader: number): AxisList {
  const distance = ({ strides }: Axis): number => Math.abs(strides[leader] as number);
  const ordered = [...axes.entries()].sort(([i, a], [k, b]) => distance(a) - distance(b) || k - i);
  const list: { extent: number; strides: readonly number[] }[] = [];
  for (const [, axis] of ordered) {
    const last = list.at(-1);
    if (last !== undefined && axis.strides.every((stride, k) => stride === last.extent * (last.strides[k] as number))) {
      last.extent *= axis.extent;
    } else {
      list.push({ ...axis });
    }
  }
  const operands = axes[0]?.strides.length ?? 0;
  return {
    extents: list.map(({ extent }) => extent),
    strides: Array.from({ length: operands }, (_, k) => list.map(({ strides }) => strides[k] as number)),
  };
}
