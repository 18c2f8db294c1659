/** Arrays with elements and layouts drawn from a seed, and NumPy's expressions for them. */
import type { DeviceArray, DTypeName } from "@cl/array";

import { hasDoubles, xp } from "./device.js";
import type { Draw } from "./numpy-eval.js";

export const integers = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"] as const;
export const floats: readonly DTypeName[] = ["float32", ...(hasDoubles ? (["float64"] as const) : [])];
export const real: readonly DTypeName[] = ["bool", ...integers, "float16", ...floats];
export const complex: readonly DTypeName[] = hasDoubles ? ["complex64", "complex128"] : ["complex64"];

const extents = (text: string): readonly number[] => text.split(" ").map(Number);
/** Around vector, group and chunk limits, and shapes with long and short axes. */
export const shapes: readonly (readonly number[])[] = [
  ...[1, 0, 2, 15, 17, 63, 65, 257, 1023, 1029, 4091, 4101, 16_385, 70_001].map((size) => [size]),
  ...["3 0", "0 3", "3 5", "5 300", "300 5", "40 1030", "1030 40", "2 20000", "20000 2"].map(extents),
  ...["4 5 6", "3 1 70 2", "2 3 2 3 2"].map(extents),
  [],
];
/** The shapes of few elements. */
export const few: readonly (readonly number[])[] = shapes.filter((shape) => shape.reduce((a, b) => a * b, 1) <= 40);

/** One of our arrays, and NumPy's expression for it. */
export interface Operand {
  readonly array: DeviceArray;
  readonly text: string;
}

/** Numbers that depend on their index; some are NaN if `missing`. */
export function numbers(shape: readonly number[], dtype: DTypeName, missing: boolean): Operand {
  const size = shape.reduce((a, b) => a * b, 1);
  const made = xp.zeros([0], { dtype }).dtype;
  const view = new DataView(new ArrayBuffer(size * made.itemSize));
  for (let k = 0; k < size; k++) {
    const whole = ((k * 37) % 19) - 9;
    const value = missing && k % 97 === 5 ? Number.NaN : whole / 4;
    const at = k * made.itemSize;
    if (dtype === "bool") made.set(view, at, whole > 0);
    else if (dtype.startsWith("complex")) made.set(view, at, { re: value, im: (((k * 11) % 7) - 3) / 2 });
    else if (dtype.startsWith("float")) made.set(view, at, value);
    else if (made.itemSize === 8) view.setBigInt64(at, BigInt(whole), true);
    else if (made.itemSize === 4) view.setInt32(at, whole, true);
    else if (made.itemSize === 2) view.setInt16(at, whole, true);
    else view.setInt8(at, whole);
  }
  const whole = `(np.arange(${size}) * 37 % 19 - 9)`;
  const part = missing ? `np.where(np.arange(${size}) % 97 == 5, np.nan, ${whole} / 4)` : `${whole} / 4`;
  const text = dtype.startsWith("complex")
    ? `(${part} + 1j * (np.arange(${size}) * 11 % 7 - 3) / 2)`
    : dtype.startsWith("float")
      ? `(${part})`
      : dtype === "bool"
        ? `(${whole} > 0)`
        : whole;
  const array = xp.fromHost(new Uint8Array(view.buffer), { dtype, shape });
  return { array, text: `${text}.astype("${dtype}").reshape([${shape.join()}])` };
}

/** A view in C or F order, reversed, sliced, or broadcast. */
export function viewed({ array, text }: Operand, draw: Draw): Operand {
  const { ndim } = array;
  const kind = draw.integer(0, 6);
  if (ndim === 0 || kind === 0) return { array, text };
  if (kind === 1) return { array: array.T, text: `${text}.T` };
  if (kind === 2 && ndim > 1) return { array: array.swapaxes(0, -1), text: `${text}.swapaxes(0, -1)` };
  if (kind === 3 && array.size < 10_000) {
    const shape = [2, ...array.shape];
    return { array: array.broadcastTo(shape), text: `np.broadcast_to(${text}, [${shape.join()}])` };
  }
  const parts = [":", "::-1", "::2", "::-3"];
  const index = array.shape.map((extent) => draw.of(extent > 1 ? [...parts, "1:", ":-1"] : parts));
  return { array: array.slice(...index), text: `${text}[${index.join()}]` };
}
