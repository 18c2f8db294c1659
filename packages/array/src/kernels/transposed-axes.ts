/** Detection of transposed operands, which are contiguous along another axis than the results. */
import type { DTypeName } from "../types/dtype-name.js";
import { kindOf } from "../types/promote.js";
import type { Axes } from "./collapse.js";

/** The axes, with the other contiguous one second, and the inputs that are contiguous along it. */
export interface TransposedAxes {
  readonly axes: Axes;
  readonly inputs: readonly number[];
}

/** Blocks are worth it where both axes have some. */
const minExtent = 8;

/** Undefined if no input is transposed, or if elements are none that blocks can be made of. */
export function transposedAxes(
  axes: Axes,
  inputs: readonly DTypeName[],
  outputs: readonly DTypeName[],
): TransposedAxes | undefined {
  const { extents, strides } = axes;
  if (extents.length < 2 || (extents[0] as number) < minExtent) return undefined;
  if (strides.slice(inputs.length).some(([step]) => step !== 1)) return undefined;
  const far = inputs.map((_, k) => Math.abs(strides[k]?.[0] as number) > 1);
  const second = extents.findIndex(
    (extent, axis) => axis > 0 && extent >= minExtent && far.some((one, k) => one && strides[k]?.[axis] === 1),
  );
  if (second < 0) return undefined;
  const transposed = [...inputs.keys()].filter((k) => far[k] === true && strides[k]?.[second] === 1);
  if ([...transposed.map((k) => inputs[k] as DTypeName), ...outputs].some((type) => !isPlain(type))) return undefined;
  const order = [0, second, ...extents.keys()].filter((axis, k) => k < 2 || (axis !== 0 && axis !== second));
  return {
    axes: {
      ...axes,
      extents: order.map((axis) => extents[axis] as number),
      strides: strides.map((list) => order.map((axis) => list[axis] as number)),
    },
    inputs: transposed,
  };
}

/** Halves and complex numbers have no vectors of eight. */
function isPlain(type: DTypeName): boolean {
  return type !== "float16" && kindOf(type) < 4;
}
