/** Validation of the parameters of distributions. */
import { outOfRange, rangeError, typeError, wrongType } from "@cl/base";
import { type DTypeName, typeNamed } from "../types/dtype-name.js";
import { kindOf } from "../types/promote.js";

/** A finite number. */
export function checkNumber(value: unknown, name: string, missing: number, min: number = -Infinity): number {
  if (value === undefined) return missing;
  if (typeof value !== "number") throw typeError(name, "a number", value);
  if (Number.isFinite(value) && value >= min) return value;
  throw rangeError(name, min === -Infinity ? "a finite number" : `a finite number of at least ${min}`, value);
}

/** The integers of a range: the first one, and how many there are. */
export interface IntegerRange {
  readonly low: bigint;
  readonly count: bigint;
}

/** A range of integers that elements can hold. */
export function checkIntegerRange(
  given: { readonly low?: unknown; readonly high?: unknown },
  endpoint: boolean,
  dtype: DTypeName,
): IntegerRange {
  const low = checkWhole(given.low ?? 0, "options.low");
  const high = checkWhole(given.high, "options.high");
  const last = endpoint ? high : high - 1n;
  if (last < low) {
    throw outOfRange(
      `options.high must be ${endpoint ? "at least" : "greater than"} options.low (${low}), received ${high}`,
    );
  }
  const [least, most] = limitsOf(dtype);
  if (low < least || last > most) {
    throw outOfRange(`integers must be in the range of ${dtype}, [${least}, ${most}], received ${low} to ${last}`);
  }
  return { low, count: last - low + 1n };
}

function checkWhole(value: unknown, name: string): bigint {
  if (typeof value === "bigint") return value;
  if (typeof value !== "number") throw typeError(name, "an integer", value);
  if (!Number.isSafeInteger(value)) throw rangeError(name, "an integer", value);
  return BigInt(value);
}

/** Throws for counts that may be more than elements can hold; `most` is what they hardly ever come to. */
export function checkCounts(most: number, dtype: DTypeName): void {
  const limit = kindOf(dtype) === 3 ? (dtype === "float16" ? 65_504 : Infinity) : Number(limitsOf(dtype)[1]);
  if (most > limit) throw outOfRange(`counts up to ${Math.ceil(most)} exceed the range of ${dtype}`);
}

/** The ends of an integer type. */
function limitsOf(dtype: DTypeName): readonly [least: bigint, most: bigint] {
  if (dtype === "bool") return [0n, 1n];
  const bits = BigInt(8 * typeNamed(dtype).itemSize);
  return kindOf(dtype) === 1 ? [0n, (1n << bits) - 1n] : [-(1n << (bits - 1n)), (1n << (bits - 1n)) - 1n];
}

/** The ends of an interval in the type of its numbers: where it begins, how long it is, and its last number. */
export function intervalOf(low: number, high: number, dtype: DTypeName): readonly [number, number, number] {
  if (high < low) throw outOfRange(`options.high must be at least options.low (${low}), received ${high}`);
  const round = (value: number): number => rounded(value, dtype);
  const [first, end] = [round(low), round(high)];
  const length = dtype === "float64" ? end - first : Math.fround(end - first);
  if (!Number.isFinite(first) || !Number.isFinite(end) || !Number.isFinite(length)) {
    throw outOfRange(`the range from ${low} to ${high} overflows ${dtype}`);
  }
  return [first, length, end === first ? first : before(end, dtype)];
}

/** The nearest number of a floating-point type. */
function rounded(value: number, dtype: DTypeName): number {
  if (dtype === "float64") return value;
  if (dtype === "float32") return Math.fround(value);
  if (dtype !== "float16") throw wrongType(`${dtype} is not supported`);
  if (Math.abs(value) >= 65_520) return Math.sign(value) * Infinity;
  const [type, view] = [typeNamed("float16"), new DataView(new ArrayBuffer(2))];
  type.set(view, 0, value);
  return type.get(view, 0) as number;
}

/** The number of the type that comes before one. */
function before(value: number, dtype: DTypeName): number {
  const bits = dtype === "float64" ? 64 : dtype === "float32" ? 32 : 16;
  const type = typeNamed(dtype);
  const view = new DataView(new ArrayBuffer(8));
  type.set(view, 0, value);
  const read = (): bigint =>
    bits === 64 ? view.getBigUint64(0, true) : BigInt(bits === 32 ? view.getUint32(0, true) : view.getUint16(0, true));
  const sign = 1n << BigInt(bits - 1);
  const own = read();
  // Below 0 numbers grow with their bits; before 0 there is the smallest negative one.
  const next = (own & ~sign) === 0n ? sign | 1n : own >= sign ? own + 1n : own - 1n;
  if (bits === 64) view.setBigUint64(0, next, true);
  else if (bits === 32) view.setUint32(0, Number(next), true);
  else view.setUint16(0, Number(next), true);
  return type.get(view, 0) as number;
}
