/** Values as OpenCL C writes them. */
import { typeError } from "@cl/base";
import type { Complex, DType, DTypeLike, DTypeValue } from "@cl/core";

import { checkType } from "../types/type-registry.js";

/**
 * A value of a type as an expression of OpenCL C that has this type and exactly this value. What the type does not hold
 * throws, as does a struct, which C cannot write as an expression everywhere.
 *
 * @example
 * ```ts
 * console.log(literal("float32", 0.1), literal("int64", -5n), literal("float2", [1, -0])); // 0.1f (-5L) (float2)(1.0f, (-0.0f))
 * ```
 */
export function literal(type: DTypeLike, value: DTypeValue): string {
  const known = checkType(type, "type");
  if (known.kind === "struct") throw typeError("type", "a number, a boolean, a vector or a complex number", type);
  // Through the type's memory: what it refuses is refused, and floats are rounded as they will be.
  const memory = new DataView(new ArrayBuffer(known.itemSize));
  known.set(memory, 0, value);
  return written(known, known.get(memory, 0));
}

function written(type: DType, value: DTypeValue): string {
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
      return `(${type.cName})(${written(type.base, re)}, ${written(type.base, im)})`;
    }
    case "vector":
      return `(${type.cName})(${(value as readonly DTypeValue[]).map((one) => written(type.base, one)).join(", ")})`;
    case "struct":
    default:
      throw new TypeError(`there is no literal of ${type.name}`);
  }
}

const suffixes: Readonly<Record<string, string>> = { uint32: "u", int64: "L", uint64: "UL" };

function integer({ name, cName, itemSize }: DType, value: bigint): string {
  const suffix = suffixes[name] ?? "";
  // The digits of the smallest number are those of one that is too large.
  if (value < 0n && value === -(1n << BigInt(8 * itemSize - 1)) && itemSize >= 4) {
    return `(${value + 1n}${suffix} - 1)`;
  }
  const digits = value < 0n ? `(${value}${suffix})` : `${value}${suffix}`;
  // Constants of C are no smaller than an int.
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

/** A half has no suffix that every compiler knows. */
function cast(name: string): string {
  return name === "float16" ? "(half)" : "";
}

/** The shortest digits that come back as this value, with a point or an exponent. */
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
