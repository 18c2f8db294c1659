/** Roots of one, computed on the host in double precision, and kept on the device by context. */
import { type Context, DeviceBuffer, type TypedArray } from "@cl/core";
import type { RealType } from "./butterflies-source.js";

/** So many bytes of tables are kept for each context; those that were not used for the longest are given back. */
const mostBytes = 2 ** 26;

/** The tables of a context, and how many bytes they have. */
interface Tables {
  readonly all: Map<string, DeviceBuffer>;
  bytes: number;
}

const caches = new WeakMap<Context, Tables>();

/** The table of a key. What is given back while kernels still read it stays until they are done: OpenCL sees to that. */
export function tableOf(context: Context, key: string, make: () => TypedArray): DeviceBuffer {
  let tables = caches.get(context);
  if (tables === undefined) caches.set(context, (tables = { all: new Map<string, DeviceBuffer>(), bytes: 0 }));
  const { all } = tables;
  let table = all.get(key);
  if (table === undefined) {
    table = DeviceBuffer.from<TypedArray>(context, make());
    tables.bytes += table.size;
  }
  // Maps keep the order in which keys came.
  all.delete(key);
  all.set(key, table);
  if (tables.bytes > mostBytes) dropOldest(tables, key);
  return table;
}

/** Never the one that is asked for. */
function dropOldest(tables: Tables, kept: string): void {
  for (const [key, table] of tables.all) {
    if (tables.bytes <= mostBytes || key === kept) return;
    tables.bytes -= table.size;
    table.release();
    tables.all.delete(key);
  }
}

/** Complex numbers of a precision, in pairs. */
export function pairs(real: RealType, count: number): Float32Array | Float64Array {
  return real === "float" ? new Float32Array(2 * count) : new Float64Array(2 * count);
}

/** Stores exp(-2 pi i part / whole), exact to the last digit or nearly. */
export function storeRoot(target: Float32Array | Float64Array, at: number, part: number, whole: number): void {
  // Angles of at most an eighth of a turn: sines and cosines of larger ones have errors of their own.
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

/** The roots of an order: `2 ** bits` neighbours, and then every one of that stride. */
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
