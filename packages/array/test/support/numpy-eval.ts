/** Compares arrays with NumPy expressions. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { inspect, isDeepStrictEqual } from "node:util";

import type { AnyArray, DeviceArray, DTypeName } from "@cl/array";
import type { Complex } from "@cl/core";

import { hasDoubles, xp } from "./device.js";
import { isFull } from "@cl/testing/level";
import { python } from "@cl/testing/python";

export { needsNumPy } from "./numpy.js";

/** The dtypes of linear algebra. */
export const inexact: readonly DTypeName[] = hasDoubles
  ? ["float32", "complex128", "float64", "complex64"]
  : ["float32", "complex64"];

const script = fileURLToPath(new URL("numpy_eval.py", import.meta.url));

type Result = AnyArray | Promise<AnyArray>;

/** Our array and a NumPy expression, in which `c([2, 3], "int8")` is {@link counted}. */
export interface EvalCase {
  readonly ours: () => Result;
  readonly theirs: string;
  /**
   * NumPy expression of the numbers that the tolerance is relative to: one, or one for each matrix of a stack. For results
   * whose rounding errors are not proportional to their size, as those of ill-conditioned problems.
   */
  readonly scale?: string;
}

/** NumPy's result. */
export type Answer =
  | { readonly error: string }
  | { readonly dtype: string; readonly shape: number[]; readonly hex: string };

/** Returns pairs of dtypes: "int8 int16, bool int8". */
export function pairsOf(text: string): readonly (readonly [DTypeName, DTypeName])[] {
  return text.split(", ").map((pair) => pair.split(" ") as [DTypeName, DTypeName]);
}

/** Returns elements that count from 0 to 99, repeatedly. */
export function counted<D extends DTypeName>(shape: readonly number[], dtype: D): DeviceArray<D> {
  const size = shape.reduce((a, b) => a * b, 1);
  const numbers = Uint8Array.from({ length: size }, (_, i) => i % 100);
  return xp.fromHost(numbers, { shape, dtype: "uint8" }).astype(dtype);
}

/** NumPy's expression for {@link counted}. */
export function countedText(shape: readonly number[], dtype: DTypeName): string {
  return `c([${shape.join()}], "${dtype}")`;
}

/** Returns pseudo-random numbers in [-127, 127]; complex numbers have different imaginary parts. */
export function noise<D extends DTypeName>(shape: readonly number[], dtype: D): DeviceArray<D> {
  const size = shape.reduce((a, b) => a * b, 1);
  const value = (k: number, a: number, b: number): number =>
    ((((k % 65537) ** 2 * a + (k % 65537) * b) % 65537) % 255) - 127;
  const real = Float32Array.from({ length: size }, (_, k) => value(k, 7919, 31));
  if (!dtype.startsWith("complex")) return xp.fromHost(real, { shape }).astype(dtype);
  const pairs = Float32Array.from({ length: 2 * size }, (_, k) =>
    k % 2 === 0 ? (real[k / 2] as number) : value((k - 1) / 2, 104_729, 17),
  );
  return xp.fromHost(pairs, { dtype: "complex64", shape }).astype(dtype);
}

/** NumPy's expression for {@link noise}. */
export function noiseText(shape: readonly number[], dtype: DTypeName): string {
  return `w([${shape.join()}], "${dtype}")`;
}

/** Returns random elements in [-0.5, 0.5) (both parts if complex); `r([2, 3], "float32", 7)` in NumPy expressions. */
export function drawn<D extends DTypeName>(shape: readonly number[], dtype: D, seed: number): DeviceArray<D> {
  const size = shape.reduce((a, b) => a * b, 1);
  const draw = (own: number, i: number): number => {
    let bits = Math.imul(i + 1 + own * 1_000_003, 0x9e_37_79_b1);
    bits = Math.imul(bits ^ (bits >>> 16), 0x85_eb_ca_6b);
    bits = Math.imul(bits ^ (bits >>> 13), 0xc2_b2_ae_35);
    return ((bits ^ (bits >>> 16)) >>> 0) / 2 ** 32 - 0.5;
  };
  if (!dtype.startsWith("complex")) {
    const values = Float32Array.from({ length: size }, (_, i) => draw(seed, i));
    return xp.fromHost(values, { shape }).astype(dtype);
  }
  const parts = Float32Array.from({ length: 2 * size }, (_, i) => draw(seed + (i % 2), i >> 1));
  return xp.fromHost(parts, { shape, dtype: "complex64" }).astype(dtype);
}

/** NumPy's expression for {@link drawn}. */
export function drawnText(shape: readonly number[], dtype: DTypeName, seed: number): string {
  return `r([${shape.join()}], "${dtype}", ${seed})`;
}

/** Returns cases from NumPy expressions of operands, which have names and are expressions or numbers themselves. */
export function casesOf(
  operands: Readonly<Record<string, string | number>>,
  list: readonly (readonly [theirs: string, ours: () => Result, scale?: string])[],
): readonly EvalCase[] {
  const [names, values] = [Object.keys(operands).join(), Object.values(operands).join()];
  const apply = (body: string): string => `(lambda ${names}: ${body})(${values})`;
  return list.map(([theirs, ours, scale]) => ({
    ours,
    theirs: apply(theirs),
    ...(scale === undefined ? {} : { scale: apply(scale) }),
  }));
}

/** Evaluates expressions that return strings. */
export function evalTexts(expressions: readonly string[]): readonly string[] {
  return (evaluated(expressions) as readonly { readonly text?: string }[]).map(({ text }) => String(text));
}

/**
 * Describes the differences from NumPy, one line each. `close` is the tolerance of floating-point numbers, relative to
 * the case's scale if it has one, else to each number, or with `"largest"` to the largest number of the array.
 */
export async function evalDifferences(
  cases: readonly EvalCase[],
  close = 0,
  of: "each" | "largest" = "each",
): Promise<readonly string[]> {
  const chosen = isFull ? cases : chosenOf(cases);
  const scales = chosen.flatMap(({ scale }) => (scale === undefined ? [] : [`np.asarray(${scale}, "float64")`]));
  const answers = evaluated([...chosen.map(({ theirs }) => theirs), ...scales]);
  const scaleAnswers = answers.slice(chosen.length).values();
  const faults: string[] = [];
  for (const [i, { ours, theirs, scale }] of chosen.entries()) {
    const relativeTo = scale === undefined ? of : numbersOf(scaleAnswers.next().value as Answer);
    const difference = await differenceOf(ours, answers[i] as Answer, close, relativeTo);
    if (difference !== undefined) faults.push(`${theirs}: ${difference}`);
  }
  return faults;
}

/** Returns every fourth case, and the first two that call a function, for a quick run: most cases build a kernel. */
function chosenOf(cases: readonly EvalCase[]): readonly EvalCase[] {
  const calls = new Map<string, number>();
  return cases.filter(({ theirs }, k) => {
    const name = /[\w.]+(?=\()/u.exec(theirs)?.[0] ?? theirs;
    const count = calls.get(name) ?? 0;
    calls.set(name, count + 1);
    return count < 2 || k % 4 === 0;
  });
}

/** A case generator, the number of cases, and the tolerance of floating-point numbers. */
export type Kind = readonly [make: (draw: Draw) => EvalCase, times: number, close: number];

/** Describes the differences from NumPy in a fraction of the cases of each kind. */
export async function differencesOf(kinds: readonly Kind[], seed: number, part: number): Promise<readonly string[]> {
  const draw = new Draw(seed);
  const faults: string[] = [];
  for (const [make, times, close] of kinds) {
    const cases = Array.from({ length: Math.ceil(times * part) }, () => make(draw));
    faults.push(...(await evalDifferences(cases, close)).map((fault) => `seed ${seed}: ${fault.slice(0, 500)}`));
  }
  return faults;
}

/** Returns the results of expressions. */
export function evaluated(expressions: readonly string[]): readonly Answer[] {
  const input = JSON.stringify(expressions);
  const { status, stdout, stderr } = spawnSync(python, [script], { input, maxBuffer: 2 ** 28 });
  if (status !== 0) throw new Error(`NumPy failed: ${stderr.toString()}`);
  return JSON.parse(stdout.toString()) as readonly Answer[];
}

/** Returns the elements of a float64 answer. */
function numbersOf(answer: Answer): Float64Array {
  if ("error" in answer) throw new Error(`NumPy failed: ${answer.error}`);
  return new Float64Array(Uint8Array.from(Buffer.from(answer.hex, "hex")).buffer);
}

/** What a tolerance is relative to; numbers are those of equal runs of elements. */
type RelativeTo = "each" | "largest" | Float64Array;

async function differenceOf(
  ours: EvalCase["ours"],
  answer: Answer,
  close: number,
  of: RelativeTo,
): Promise<string | undefined> {
  let result: AnyArray;
  try {
    result = await ours();
  } catch (error) {
    return "error" in answer ? undefined : `${String(error)} instead of [${answer.shape.join()}]`;
  }
  if ("error" in answer) return `${String(result)} instead of ${answer.error}`;
  const actual = `${result.dtype.name} [${result.shape.join()}]`;
  const right = `${answer.dtype} [${answer.shape.join()}]`;
  if (actual !== right) return `${actual} instead of ${right}`;
  const host = await result.data();
  const ownBytes = host.buffer as ArrayBuffer;
  const theirBytes = Uint8Array.from(Buffer.from(answer.hex, "hex")).buffer;
  const isSame = result.dtype.name in floatArrays ? floatsMatch : elementsMatch;
  if (isSame(result, ownBytes, theirBytes, close, of)) return undefined;
  return `${inspect(valuesOf(result, ownBytes))} instead of ${inspect(valuesOf(result, theirBytes))}`;
}

const floatArrays: Readonly<Record<string, Float32ArrayConstructor | Float64ArrayConstructor>> = {
  float32: Float32Array,
  float64: Float64Array,
  complex64: Float32Array,
  complex128: Float64Array,
};

type Match = (
  array: AnyArray,
  ownBytes: ArrayBuffer,
  theirBytes: ArrayBuffer,
  close: number,
  of: RelativeTo,
) => boolean;

const elementsMatch: Match = (array, ownBytes, theirBytes, close, of) => {
  const values = valuesOf(array, ownBytes);
  const expected = valuesOf(array, theirBytes);
  const sizes = of === "largest" ? expected.map((value) => distance(value, 0)) : [];
  const largest = sizes.reduce((one, other) => Math.max(one, other), 0);
  return values.every((value, k) => {
    const other = expected[k];
    const size =
      typeof of !== "string" ? scaleAt(of, k, values.length) : of === "largest" ? largest : distance(other, 0);
    return isDeepStrictEqual(value, other) || (close > 0 && distance(value, other) <= close * size);
  });
};

/** The same for float32, float64 and complex numbers, in a tenth of the time: no object for each element. */
const floatsMatch: Match = ({ dtype, size: count }, ownBytes, theirBytes, close, of) => {
  const Floats = floatArrays[dtype.name] as Float64ArrayConstructor;
  const parts = dtype.name.startsWith("complex") ? 2 : 1;
  const values = new Floats(ownBytes);
  const expected = new Floats(theirBytes);
  const ownSize = (k: number): number => length(expected[k] as number, parts === 2 ? (expected[k + 1] as number) : 0);
  let largest = 0;
  if (of === "largest") for (let k = 0; k < count * parts; k += parts) largest = Math.max(largest, ownSize(k));
  const sizeAt = (k: number): number =>
    typeof of !== "string" ? scaleAt(of, k, count * parts) : of === "largest" ? largest : ownSize(k);
  for (let k = 0; k < count * parts; k += parts) {
    const [re, im] = [values[k] as number, parts === 2 ? (values[k + 1] as number) : 0];
    const [a, b] = [expected[k] as number, parts === 2 ? (expected[k + 1] as number) : 0];
    if (Object.is(re, a) && Object.is(im, b)) continue;
    const far = length(re - a, im - b);
    if (!(close > 0 && far <= close * sizeAt(k))) return false;
  }
  return true;
};

/** The scale of one of `count` elements. */
function scaleAt(scales: Float64Array, k: number, count: number): number {
  return scales[Math.floor((k * scales.length) / count)] as number;
}

/** The distance of two real or complex numbers; NaN, which is never close, for other values. */
function distance(one: unknown, other: unknown): number {
  const [a, b] = [partsOf(one), partsOf(other)];
  return length(a.re - b.re, a.im - b.im);
}

/** The absolute value of a complex number; NaN if it is not finite. */
function length(re: number, im: number): number {
  const value = im === 0 ? Math.abs(re) : Math.hypot(re, im);
  return Number.isFinite(value) ? value : NaN;
}

function partsOf(value: unknown): Complex {
  if (typeof value === "number") return { re: value, im: 0 };
  return typeof value === "object" ? (value as Complex) : { re: NaN, im: NaN };
}

function valuesOf({ size, dtype }: AnyArray, buffer: ArrayBuffer): readonly unknown[] {
  const view = new DataView(buffer);
  return Array.from({ length: size }, (_, k) => dtype.get(view, k * dtype.itemSize));
}

export class Draw {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 1;
  }

  /** Returns an integer in [low, high]. */
  integer(low: number, high: number): number {
    this.#state ^= this.#state << 13;
    this.#state ^= this.#state >>> 17;
    this.#state ^= this.#state << 5;
    return low + Math.floor(((this.#state >>> 0) / 2 ** 32) * (high - low + 1));
  }

  of<T>(list: readonly T[]): T {
    return list[this.integer(0, list.length - 1)] as T;
  }

  shape(axes: number, high = 4): readonly number[] {
    return Array.from({ length: axes }, () => this.integer(this.integer(0, 9) === 0 ? 0 : 1, high));
  }
}
