/** Arrays to sort, and NumPy's expressions for them: few distinct values among many, NaN, infinities and both zeros. */
import type { DeviceArray, DTypeName } from "@cl/array";

import { xp } from "./device.js";
import type { Draw } from "./numpy-eval.js";

/** Distribution of values: few distinct ones, all that the dtype has, or all the same. */
export type Spread = "few" | "all" | "same" | "sorted" | "reversed";

export interface SortCase {
  readonly array: DeviceArray;
  /** NumPy's expression for it. */
  readonly text: string;
}

/** Returns random values of a dtype. */
export function sortCase(dtype: DTypeName, shape: readonly number[], spread: Spread, draw: Draw): SortCase {
  const size = shape.reduce((a, b) => a * b, 1);
  const bytes = bytesOf(dtype, size, spread, draw);
  const hex = Buffer.from(bytes).toString("hex");
  const text = `np.frombuffer(bytes.fromhex("${hex}"), "${dtype}").reshape([${shape.join()}])`;
  return { array: xp.fromHost(bytes, { dtype: "uint8" }).viewAs(dtype).reshape(shape), text };
}

/** Bit patterns of floating-point numbers that sorting must order, by bytes per number. */
const special: Readonly<Record<string, readonly bigint[]>> = {
  float16: [0x7e00n, 0xfe01n, 0x7c00n, 0xfc00n, 0n, 0x8000n, 1n, 0x8001n],
  float32: [0x7fc00000n, 0xffc00001n, 0x7f800000n, 0xff800000n, 0n, 0x80000000n, 1n, 0x80000001n],
  float64: [0x7ff8n << 48n, (0xfff8n << 48n) + 1n, 0x7ff0n << 48n, 0xfff0n << 48n, 0n, 0x8000n << 48n, 1n],
};

function bytesOf(dtype: DTypeName, size: number, spread: Spread, draw: Draw): Uint8Array {
  const part = dtype === "complex64" ? "float32" : dtype === "complex128" ? "float64" : dtype;
  const parts = part === dtype ? size : 2 * size;
  const width = part === "bool" ? 1 : Number(/\d+$/u.exec(part)?.[0]) / 8;
  const bytes = new Uint8Array(parts * width);
  const view = new DataView(bytes.buffer);
  const few = Array.from({ length: 7 }, () => bitsOf(width, draw));
  for (let i = 0; i < parts; i++) {
    const bits = special[part] !== undefined && draw.integer(0, 3) === 0 ? draw.of(special[part]) : undefined;
    const value =
      part === "bool"
        ? BigInt(spread === "same" ? 1 : draw.integer(0, 1))
        : spread === "same"
          ? (few[0] as bigint)
          : spread === "few"
            ? (bits ?? draw.of(few))
            : spread === "all"
              ? (bits ?? bitsOf(width, draw))
              : BigInt(spread === "sorted" ? i : parts - i);
    store(view, i, width, value);
  }
  return bytes;
}

function bitsOf(width: number, draw: Draw): bigint {
  let bits = 0n;
  for (let k = 0; k < width; k++) bits = (bits << 8n) | BigInt(draw.integer(0, 255));
  return bits;
}

function store(view: DataView, i: number, width: number, bits: bigint): void {
  if (width === 8) view.setBigUint64(8 * i, bits, true);
  else if (width === 4) view.setUint32(4 * i, Number(BigInt.asUintN(32, bits)), true);
  else if (width === 2) view.setUint16(2 * i, Number(BigInt.asUintN(16, bits)), true);
  else view.setUint8(i, Number(BigInt.asUintN(8, bits)));
}
