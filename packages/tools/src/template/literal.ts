/** Literals in OpenCL C. */
import { typeError } from "@cl/base";
import type { Complex, DType, DTypeLike, DTypeValue } from "@cl/core";

import { checkType } from "../types/type-registry.js";

/**
 * Returns an OpenCL C expression of the given type and exactly the given value. Throws if the type cannot represent the
 * value, and for structs, which C cannot express everywhere.
 *
 * @example
 * ```ts
 * console.log(literal("float32", 0.1), literal("int64", -5n), literal("float2", [1, -0])); // 0.1f (-5L) (float2)(1.0f, (-0.0f))
 * ```
 */
export function literal(type: DTypeLike, value: DTypeValue): string {
  const checked = checkType(type, "type");
  if (checked.kind === "struct") throw typeError("type", "a number, boolean, vector or complex type", type);
  // Storing and loading the value checks it and rounds floats.
  const memory = new DataView(new ArrayBuffer(checked.itemSize));
  checked.set(memory, 0, value);
  return expression(checked, checked.get(memory, 0));
}

function expression(type: DType, value: DTypeValue): string {
  switch (type.kind) {
    case "bool":
      return value === true ? "1" : "0";
    case "int":
    case "uint":
      return integer(type, BigInt(value as number | bigint));
    case "float":
      return float(type, value as number);
    case "complex": {
      const { re, im } = value as Complex;
      return `(${type.cName})(${expression(type.base, re)}, ${expression(type.base, im)})`;
    }
    case "vector":
      return `(${type.cName})(${(value as readonly DTypeValue[]).map((item) => expression(type.base, item)).join(", ")})`;
    case "struct":
    default:
      throw new TypeError(`${type.name} literals are not supported`);
  }
}

const suffixes: Readonly<Record<string, string>> = { uint32: "u", int64: "L", uint64: "UL" };

function integer({ name, cName, itemSize }: DType, value: bigint): string {
  const suffix = suffixes[name] ?? "";
  // The smallest integer has no literal: its digits without the sign would be too large.
  if (value < 0n && value === -(1n << BigInt(8 * itemSize - 1)) && itemSize >= 4) {
    return `(${value + 1n}${suffix} - 1)`;
  }
  const digits = value < 0n ? `(${value}${suffix})` : `${value}${suffix}`;
  // C has no integer constants smaller than int.
  return itemSize < 4 ? `((${cName})${digits})` : digits;
}

function float(type: DType, value: number): string {
  const { name } = type;
  if (Number.isNaN(value)) return name === "float64" ? "(double)NAN" : `${cast(name)}NAN`;
  if (!Number.isFinite(value)) {
    const infinity = name === "float64" ? "(double)INFINITY" : `${cast(name)}INFINITY`;
    return value < 0 ? `(-${infinity})` : infinity;
  }
  const text = Object.is(value, -0) ? "-0.0" : digitsOf(type, value);
  const suffix = name === "float64" ? "" : "f";
  const number = text.startsWith("-") ? `(${text}${suffix})` : `${text}${suffix}`;
  return `${cast(name)}${number}`;
}

/** Returns a cast for half, which has no literal suffix that every compiler supports. */
function cast(name: string): string {
  return name === "float16" ? "(half)" : "";
}

/** Returns the shortest decimal text that parses to this value, with a decimal point or an exponent. */
function digitsOf({ name }: DType, value: number): string {
  let text = String(value);
  if (name !== "float64") {
    for (let digits = 1; digits <= 9; digits++) {
      const shorter = Number(value.toPrecision(digits));
      if (Math.fround(shorter) === value) {
        text = String(shorter);
        break;
      }
    }
  }
  return /[.e]/.test(text) ? text : `${text}.0`;
}
