/** Roots of unity, computed on the host in double precision and cached on the device by context. */
import { OwnerCache } from "@cl/base";
import { type Context, DeviceBuffer, type TypedArray } from "@cl/core";
import type { RealType } from "./butterflies-source.js";

/** Maximum number of bytes of a context's tables; the least recently used are released. */
const max = 2 ** 26;

const tables = new OwnerCache<Context, DeviceBuffer>({
  size: { max, of: ({ size }) => size, drop: (table) => table.release() },
});

/** The table of a key. A table that is released while kernels read it stays until they are done: OpenCL sees to that. */
export function tableOf(context: Context, key: string, make: () => TypedArray): DeviceBuffer {
  return tables.get(context, key, () => DeviceBuffer.from<TypedArray>(context, make()));
}

/** Complex numbers of a precision, in pairs. */
export function pairs(real: RealType, count: number): Float32Array | Float64Array {
  return real === "float" ? new Float32Array(2 * count) : new Float64Array(2 * count);
}

/** Stores exp(-2 pi i part / whole), exact to the last digit or nearly. */
export function storeRoot(target: Float32Array | Float64Array, at: number, part: number, whole: number): void {
  // Uses angles of at most an eighth of a turn: sine and cosine of larger ones are less accurate.
  const turn = part % whole;
  const quarter = Math.floor((4 * turn) / whole + 0.5);
  const angle = (2 * Math.PI * (turn - (quarter * whole) / 4)) / whole;
  const [c, s] = [Math.cos(angle), -Math.sin(angle)];
  const [re, im] = (
    [
      [c, s],
      [s, -c],
      [-c, -s],
      [-s, c],
    ] as const
  )[(quarter % 4) as 0 | 1 | 2 | 3];
  target[2 * at] = re;
  target[2 * at + 1] = im;
}

/** How the roots of an order are kept: those of few steps, and those of whole strides, whose products are all of them. */
export function strideBits(order: number): number {
  return Math.ceil(Math.log2(Math.max(order, 2)) / 2);
}

/** Returns the roots of an order: the first `2 ** bits`, and then every `2 ** bits`-th. */
export function rootsOf(context: Context, real: RealType, order: number): DeviceBuffer {
  return tableOf(context, `roots ${real} ${order}`, () => {
    const bits = strideBits(order);
    const stride = 2 ** bits;
    const strides = Math.floor(order / stride) + 1;
    const table = pairs(real, stride + strides);
    for (let k = 0; k < stride; k++) storeRoot(table, k, k, order);
    for (let k = 0; k < strides; k++) storeRoot(table, stride + k, (k * stride) % order, order);
    return table;
  });
}
