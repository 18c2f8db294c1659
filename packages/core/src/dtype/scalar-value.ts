/** Scalar values: range checks, and storing and loading. Integers are never rounded or wrapped around. */
import { rangeError, type ScalarName, type ScalarType, typeError } from "@cl/base";

import { getFloat16Bits, numberOfFloat16Bits } from "./half.js";

/** The largest finite float. */
export const maxFloat = 3.4028234663852886e38;
/** The largest finite half. */
const maxHalf = 65504;

/**
 * Returns whether the type can represent the value. Floating-point types accept NaN, infinities, and numbers that do
 * not exceed the largest finite value.
 */
export function fitsScalar(scalar: ScalarType, value: unknown): value is number | bigint {
  switch (scalar.name) {
    case "long":
      return typeof value === "bigint" ? BigInt.asIntN(64, value) === value : Number.isSafeInteger(value);
    case "ulong":
      if (typeof value === "bigint") return BigInt.asUintN(64, value) === value;
      return Number.isSafeInteger(value) && (value as number) >= 0;
    case "double":
      return typeof value === "number";
    case "float":
      return typeof value === "number" && !(Math.abs(value) > maxFloat && Math.abs(value) !== Infinity);
    case "half":
      return typeof value === "number" && !(Math.abs(value) > maxHalf && Math.abs(value) !== Infinity);
    case "char":
    case "uchar":
    case "short":
    case "ushort":
    case "int":
    case "uint":
      return (
        typeof value === "number" &&
        Number.isInteger(value) &&
        value >= (scalar.min as number) &&
        value <= (scalar.max as number)
      );
    default:
      return scalar.name satisfies never;
  }
}

/** Returns the error for a value that the type cannot represent. */
export function scalarError({ name, min, max }: ScalarType, argument: string, value: unknown): Error {
  switch (name) {
    case "long":
    case "ulong":
      if (typeof value === "number") {
        const lowest = name === "long" ? "-(2^53 - 1)" : "0";
        return rangeError(argument, `an integer from ${lowest} to 2^53 - 1, or a bigint`, value);
      }
      if (typeof value !== "bigint") return typeError(argument, "a bigint or a safe integer", value);
      return rangeError(argument, name === "long" ? "from -2^63 to 2^63 - 1" : "from 0 to 2^64 - 1", value);
    case "half":
    case "float":
    case "double": {
      if (typeof value !== "number") return typeError(argument, "a number", value);
      const limit = name === "half" ? maxHalf : maxFloat;
      return rangeError(argument, `from ${-limit} to ${limit}`, value);
    }
    case "char":
    case "uchar":
    case "short":
    case "ushort":
    case "int":
    case "uint":
      if (typeof value !== "number") return typeError(argument, "an integer", value);
      return rangeError(argument, `an integer from ${min as number} to ${max as number}`, value);
    default:
      return name satisfies never;
  }
}

/** Stores a value, which must be representable. */
export function storeScalar(view: DataView, name: ScalarName, at: number, value: number | bigint): void {
  switch (name) {
    case "char":
    case "uchar":
      return view.setUint8(at, value as number);
    case "short":
    case "ushort":
      return view.setUint16(at, value as number, true);
    case "int":
    case "uint":
      return view.setUint32(at, value as number, true);
    case "long":
    case "ulong":
      return typeof value === "bigint" ? view.setBigUint64(at, value, true) : storeLong(view, at, value);
    case "half":
      return view.setUint16(at, getFloat16Bits(value as number), true);
    case "float":
      return view.setFloat32(at, value as number, true);
    case "double":
      return view.setFloat64(at, value as number, true);
    default:
      return name satisfies never;
  }
}

/** Stores a safe integer as 64 bits without creating a bigint. */
function storeLong(view: DataView, at: number, value: number): void {
  const high = Math.floor(value / 2 ** 32);
  view.setUint32(at, value - high * 2 ** 32, true);
  view.setInt32(at + 4, high, true);
}

/** Loads a value. */
export function loadScalar(view: DataView, name: ScalarName, at: number): number | bigint {
  switch (name) {
    case "char":
      return view.getInt8(at);
    case "uchar":
      return view.getUint8(at);
    case "short":
      return view.getInt16(at, true);
    case "ushort":
      return view.getUint16(at, true);
    case "int":
      return view.getInt32(at, true);
    case "uint":
      return view.getUint32(at, true);
    case "long":
      return view.getBigInt64(at, true);
    case "ulong":
      return view.getBigUint64(at, true);
    case "half":
      return numberOfFloat16Bits(view.getUint16(at, true));
    case "float":
      return view.getFloat32(at, true);
    case "double":
      return view.getFloat64(at, true);
    default:
      return name satisfies never;
  }
}
