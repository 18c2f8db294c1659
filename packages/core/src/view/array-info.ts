/** A view's layout in other formats: CLyther's eight numbers and the format strings of Python's buffer protocol. */
import { type Layout, outOfRange, sizeOf } from "@cl/base";

import type { DType } from "../dtype/dtype.js";
import { StructType } from "../dtype/struct-type.js";

/**
 * Returns `[d0, d1, d2, size, s0, s1, s2, offset]` for a kernel's `uint8` parameter: shape, size, and strides and
 * offset in elements. Throws if a number does not fit.
 */
export function arrayInfo({ shape, strides, offset }: Layout, itemSize: number): Uint32Array {
  if (shape.length > 3) throw outOfRange(`arrayInfo supports at most 3 axes, but the view has ${shape.length}`);
  const info = new Uint32Array(8);
  const put = (i: number, value: number, what: string): void => {
    if (!Number.isInteger(value) || value < 0 || value > 0xffffffff) {
      throw outOfRange(
        `arrayInfo supports integers from 0 to 2^32 - 1, but ${what} is ${value} elements; pass shape and strides as separate arguments`,
      );
    }
    info[i] = value;
  };
  for (const [axis, extent] of shape.entries()) {
    put(axis, extent, `shape[${axis}]`);
    put(4 + axis, (strides[axis] as number) / itemSize, `strides[${axis}]`);
  }
  put(3, sizeOf(shape), "size");
  put(7, offset / itemSize, "offset");
  return info;
}

const letters: Readonly<Record<string, string>> = {
  bool: "?",
  int8: "b",
  uint8: "B",
  int16: "h",
  uint16: "H",
  int32: "i",
  uint32: "I",
  int64: "q",
  uint64: "Q",
  float16: "e",
  float32: "f",
  float64: "d",
  complex64: "Zf",
  complex128: "Zd",
};

/**
 * Returns the PEP 3118 format of an element type: `f`, `(4)f` for a vector, `T{f:x:i:n:}` for a struct; `x` is padding.
 */
export function formatOf(type: DType): string {
  if (type instanceof StructType) return structFormat(type);
  const letter = letters[type.base.name] ?? "B";
  if (type.kind !== "vector") return letters[type.name] ?? `${type.itemSize}s`;
  return type.width === 3 ? `T{(3)${letter}:value:${type.itemSize / 4}x}` : `(${type.width})${letter}`;
}

function structFormat({ fields, itemSize }: StructType): string {
  let at = 0;
  const pad = (to: number): string => {
    const bytes = to - at;
    at = to;
    return bytes === 0 ? "" : bytes === 1 ? "x" : `${bytes}x`;
  };
  const members = [...fields.values()].map(({ name, type, shape, offset, bytes }) => {
    const padding = pad(offset);
    at = offset + bytes;
    return `${padding}${shape.length === 0 ? "" : `(${shape.join()})`}${formatOf(type)}:${name}:`;
  });
  return `T{${members.join("")}${pad(itemSize)}}`;
}
