/** Dtype promotion of two operands by the rules of NumPy 2 (NEP 50), at run time and as TypeScript types. */
import { describe, outOfRange, typeError, wrongType } from "@cl/base";
import type { Complex } from "@cl/core";
import type { DTypeName } from "./dtype-name.js";
import { promotions } from "./promotions.js";

/** The dtype to which two dtypes promote. */
export type Promote<A extends DTypeName, B extends DTypeName> = (typeof promotions)[A][B];

/** A scalar operand. It takes the dtype of the array operand where it fits. */
export type WeakScalar = number | bigint | boolean | Complex;

type Whole = "bool" | "int8" | "int16" | "int32" | "int64" | "uint8" | "uint16" | "uint32" | "uint64";
type WithInteger<D extends DTypeName> = D extends "bool" ? "int64" : D;
type WithFraction<D extends DTypeName> = D extends Whole ? "float64" : D;
type WithComplex<D extends DTypeName> = D extends "float16" | "float32" | "complex64" ? "complex64" : "complex128";

/**
 * The dtype to which an array and a scalar promote. An integer scalar keeps integer dtypes, a fractional one makes them
 * float64; the type checker can only distinguish literals, and treats a variable of type `number` as an integer.
 */
export type PromoteScalar<D extends DTypeName, S> = S extends boolean
  ? D
  : S extends bigint
    ? WithInteger<D>
    : S extends number
      ? number extends S
        ? WithInteger<D>
        : `${S}` extends `${bigint}`
          ? WithInteger<D>
          : WithFraction<D>
      : S extends Complex
        ? WithComplex<D>
        : never;

/** Dtype of a true division. */
export type QuotientDType<D extends DTypeName> = D extends Whole ? "float64" : D;

/** Dtype of functions such as the square root. */
export type FloatingDType<D extends DTypeName> = D extends "bool" | "int8" | "uint8"
  ? "float16"
  : D extends "int16" | "uint16"
    ? "float32"
    : D extends Whole
      ? "float64"
      : D;

/**
 * Dtype of functions such as `hypot` of an array and a scalar. Small integer dtypes become float16 or float32 with
 * integers that fit, and float64 otherwise.
 */
export type FloatingDTypeWithScalar<D extends DTypeName, S> = [D, S] extends [
  "int8" | "uint8" | "int16" | "uint16",
  number | bigint,
]
  ? number extends S
    ? FloatingDType<D> | "float64"
    : bigint extends S
      ? FloatingDType<D> | "float64"
      : `${S & (number | bigint)}` extends `${bigint}`
        ? HasFiveCharacters<`${S & (number | bigint)}`> extends true
          ? FloatingDType<D> | "float64"
          : FloatingDType<D>
        : "float64"
  : FloatingDType<PromoteScalar<D, S>>;

/** All integers of four characters fit into float16. */
type HasFiveCharacters<T extends string> = T extends `${infer A}${infer B}${infer C}${infer D}${infer E}${infer F}`
  ? `${A}${B}${C}${D}${E}${F}` extends T
    ? true
    : never
  : false;

/** The type that holds the values of both. */
export function promote(a: DTypeName, b: DTypeName): DTypeName {
  return promotions[a][b];
}

/**
 * Returns the dtype to which an array and a scalar promote. Throws for an integer that the array's dtype cannot hold.
 */
export function promoteScalar(type: DTypeName, value: unknown, name: string): DTypeName {
  const result = promoteAnyScalar(type, value, name);
  // In a floating-point type it is rounded, and an integer beyond all bounds becomes an infinity as in NumPy.
  if (isWhole(value) && kindOf(result) < 3 && !holds(result, value)) {
    throw outOfRange(`${name} must be a value that ${result} holds, received ${describe(value)}`);
  }
  return result;
}

/** The same as {@link promoteScalar} for operators that compute with floating-point numbers: integers of any size are accepted. */
export function promoteAnyScalar(type: DTypeName, value: unknown, name: string): DTypeName {
  if (typeof value === "boolean") return type;
  const kind = kindOf(type);
  if (isWhole(value)) return type === "bool" ? "int64" : type;
  if (typeof value === "number") return kind > 2 ? type : "float64";
  checkComplex(value, name);
  return kind > 2 ? complexOf(type) : "complex128";
}

/** Returns the dtype of a scalar without an array operand. */
export function scalarType(value: WeakScalar, name: string): DTypeName {
  return typeof value === "boolean" ? "bool" : promoteScalar("bool", value, name);
}

/** True for integers, NumPy's `int`; false for numbers with a fraction or beyond all integer types, infinities and NaN. */
function isWhole(value: unknown): value is number | bigint {
  return typeof value === "bigint" || (Number.isInteger(value) && Math.abs(value as number) < 2 ** 64);
}

/** True if an integer is one of an integer type. */
export function holds(type: DTypeName, value: number | bigint): boolean {
  const [low, high] = limits(type as keyof typeof bits);
  return value >= low && value <= high;
}

/** Checks a scalar operand. */
export function checkHostValue(value: WeakScalar, name: string): WeakScalar {
  if (typeof value !== "number" && typeof value !== "bigint" && typeof value !== "boolean") checkComplex(value, name);
  return value;
}

/** True for a complex number of the host. */
export function isComplexValue(value: unknown): value is Complex {
  const { re, im } = (value ?? {}) as Partial<Complex>;
  return typeof re === "number" && typeof im === "number";
}

/** How elements are converted: "safe" drops no imaginary parts. */
export type Casting = "safe" | "unsafe";

/** Throws for a conversion that would drop imaginary parts without being asked to. */
export function checkCast(from: DTypeName, to: DTypeName, casting: Casting): void {
  if (casting !== "safe" && casting !== "unsafe") throw typeError("options.casting", '"safe" or "unsafe"', casting);
  if (casting === "unsafe" || kindOf(from) !== 4 || kindOf(to) === 4 || to === "bool") return;
  throw wrongType(
    `${from} cannot be stored as ${to}: the imaginary part would be lost; use .real, or astype() with { casting: "unsafe" }`,
  );
}

function checkComplex(value: unknown, name: string): void {
  if (isComplexValue(value)) return;
  throw typeError(
    name,
    "an array, a number, a bigint or a boolean, or a complex number such as { re: 0, im: 1 }",
    value,
  );
}

/** What a true division gives. */
export function quotientDType(type: DTypeName): DTypeName {
  return kindOf(type) > 2 ? type : "float64";
}

/** What functions such as the square root give. */
export function floatingDType(type: DTypeName): DTypeName {
  if (kindOf(type) > 2) return type;
  const bytes = type === "bool" ? 8 : bits[type as keyof typeof bits];
  return bytes === 8 ? "float16" : bytes === 16 ? "float32" : "float64";
}

/** Returns the dtype of {@link floatingDType} for an integer dtype and a scalar. */
export function floatingDTypeWithScalar(type: DTypeName, value: unknown, name: string): DTypeName {
  const result = floatingDType(promoteAnyScalar(type, value, name));
  if (!isWhole(value)) return result;
  const magnitude = Math.abs(Number(value));
  return magnitude <= largestWhole[result as keyof typeof largestWhole] ? result : "float64";
}

/** The largest integer scalars that a floating-point dtype can hold. JavaScript writes larger ones with an exponent. */
const largestWhole = { float16: 65_504, float32: 1e21, float64: Infinity } as const;

/** The type of a complex number's parts; real types themselves. */
export function realOf(type: DTypeName): DTypeName {
  if (type === "complex64") return "float32";
  return type === "complex128" ? "float64" : type;
}

/** The complex type with parts of a floating-point type; halves become float32. */
export function complexOf(type: DTypeName): DTypeName {
  return type === "float64" || type === "complex128" ? "complex128" : "complex64";
}

/** 0 for booleans, 1 for unsigned integers, 2 for those with a sign, 3 for floating-point, 4 for complex numbers. */
export function kindOf(type: DTypeName): 0 | 1 | 2 | 3 | 4 {
  if (type === "bool") return 0;
  if (type.startsWith("uint")) return 1;
  if (type.startsWith("int")) return 2;
  return type.startsWith("float") ? 3 : 4;
}

/** True if results of a type may be stored as another: NumPy's "same_kind", which loses digits but no sign or fraction. */
export function canStore(from: DTypeName, to: DTypeName): boolean {
  return kindOf(from) <= kindOf(to);
}

const bits = { int8: 8, int16: 16, int32: 32, int64: 64, uint8: 8, uint16: 16, uint32: 32, uint64: 64 } as const;

function limits(type: keyof typeof bits): readonly [bigint, bigint] {
  const width = BigInt(bits[type]);
  return type.startsWith("u") ? [0n, (1n << width) - 1n] : [-(1n << (width - 1n)), (1n << (width - 1n)) - 1n];
}
