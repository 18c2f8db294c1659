/** Cases of differential tests: random operands of all dtypes and layouts, and NumPy's results. */
import type { DeviceArray, DTypeName } from "@cl/array";
import type { Complex, DTypeValue } from "@cl/core";

import { xp } from "./device.js";
import { type Answer, evaluated } from "./numpy-eval.js";

/** Layouts of operands, as ours and in NumPy. */
const layouts = {
  whole: [(a) => a, (a) => a],
  transposed: [(a) => a.T, (a) => `${a}.T`],
  reversed: [(a) => a.slice("::-1", "::-1"), (a) => `${a}[::-1, ::-1]`],
  sliced: [(a) => a.slice("1:", "::2"), (a) => `${a}[1:, ::2]`],
  row: [(a) => a.slice(1), (a) => `${a}[1]`],
  broadcast: [(a) => a.slice(":", ":1").broadcastTo([4, 4]), (a) => `np.broadcast_to(${a}[:, :1], [4, 4])`],
} satisfies Readonly<Record<string, readonly [ours: (a: DeviceArray) => DeviceArray, theirs: (a: string) => string]>>;

export interface Operand {
  readonly dtype: DTypeName;
  readonly layout: string;
  readonly array: DeviceArray;
  /** NumPy's expression. */
  readonly text: string;
}

export interface Case {
  /** NumPy's name of the function, with `:1` for the second of several results. */
  readonly operator: string;
  readonly operands: readonly Operand[];
}

export function draw<T>(from: readonly T[], next: () => number): T {
  return from[Math.floor(next() * from.length)] as T;
}

/** Returns an array of random values in a random layout; all can be broadcast to [4, 4]. */
export function operand(dtype: DTypeName, next: () => number, value: Values = valueOf): Operand {
  const layout = draw(Object.keys(layouts) as (keyof typeof layouts)[], next);
  const shape = layout === "sliced" ? [5, 8] : layout === "row" ? [2, 4] : [4, 4];
  const size = shape.reduce((a, b) => a * b, 1);
  const type = xp.empty([], { dtype }).dtype;
  const view = new DataView(new ArrayBuffer(size * type.itemSize));
  for (let i = 0; i < size; i++) type.set(view, i * type.itemSize, value(dtype, next));
  const whole = xp.fromHost(new Uint8Array(view.buffer), { dtype, shape });
  const hex = Buffer.from(view.buffer).toString("hex");
  const text = `np.frombuffer(bytes.fromhex("${hex}"), "${dtype}").reshape([${shape.join()}])`;
  const [ours, theirs] = layouts[layout];
  return { dtype, layout, array: ours(whole), text: theirs(text) };
}

export type Values = (dtype: DTypeName, next: () => number) => DTypeValue;

/** Returns values around zero and at the limits of each dtype, infinities and NaN. */
export function valueOf(dtype: DTypeName, next: () => number): DTypeValue {
  if (dtype === "bool") return next() < 0.5;
  if (dtype.startsWith("complex")) return { re: floatOf(next), im: floatOf(next) };
  if (dtype.startsWith("float")) return floatOf(next);
  const bits = Number(/\d+/.exec(dtype)?.[0]);
  const small = BigInt(Math.floor(next() * 9) - 4);
  const raw = next() < 0.2 ? 2n ** BigInt(bits - 1) + small : small;
  const value = dtype.startsWith("u") ? BigInt.asUintN(bits, raw) : BigInt.asIntN(bits, raw);
  return bits === 64 ? value : Number(value);
}

function floatOf(next: () => number): number {
  if (next() < 0.2) return draw([NaN, Infinity, -Infinity, -0], next);
  return Math.floor(next() * 9) - 4 + Math.floor(next() * 4) / 4;
}

/**
 * Returns finite values of all magnitudes, zeros of both signs, and points on the axes and at the ends of branch cuts.
 */
export function finiteOf(dtype: DTypeName, next: () => number): DTypeValue {
  if (dtype.startsWith("complex")) return { re: someFloat(next), im: someFloat(next) };
  return dtype.startsWith("float") ? someFloat(next) : valueOf(dtype, next);
}

function someFloat(next: () => number): number {
  const kind = next();
  if (kind < 0.3) return draw([0, -0, 1, -1, 0.5, -0.5, 2, -2], next);
  if (kind < 0.8) return (next() - 0.5) * 8;
  return (next() - 0.5) * 2 ** Math.floor(next() * 16 - 8);
}

export type IsRight = (value: DTypeValue, expected: DTypeValue, dtype: string) => boolean;

/** A call of our function, and whether its results are right. */
export interface CheckedCase extends Case {
  readonly run: (operands: readonly DeviceArray[]) => DeviceArray;
  readonly isRight: IsRight;
}

/** Describes the differences from NumPy, one line each. */
export async function differencesOf(cases: readonly CheckedCase[]): Promise<readonly string[]> {
  const answers = evaluated(
    cases.map(({ operator, operands }) => {
      const [name, part] = operator.split(":");
      return `np.${name}(${operands.map(({ text }) => text).join()})${part === undefined ? "" : `[${part}]`}`;
    }),
  );
  const faults: string[] = [];
  for (const [k, { operator, operands, run, isRight }] of cases.entries()) {
    let result: DeviceArray | "TypeError" = "TypeError";
    try {
      result = run(operands.map(({ array }) => array));
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
    const difference = await differenceOf(result, answers[k] as Answer, isRight, operands);
    const text = operands.map(({ dtype, layout }) => `${dtype} ${layout}`).join(", ");
    if (difference !== undefined) faults.push(`${operator}(${text}): ${difference}`);
  }
  return faults;
}

/** Describes how a result differs from NumPy's; `undefined` if it does not. */
async function differenceOf(
  result: DeviceArray | "TypeError",
  answer: Answer,
  isRight: IsRight,
  given: readonly Operand[],
): Promise<string | undefined> {
  if (result === "TypeError" || "error" in answer) {
    const theirs = "error" in answer ? answer.error.replace(/^TypeError: .*/s, "TypeError") : answer.dtype;
    return result === theirs ? undefined : `${String(result)} instead of ${theirs}`;
  }
  const actual = `${result.dtype.name} [${result.shape.join()}]`;
  const right = `${answer.dtype} [${answer.shape.join()}]`;
  if (actual !== right) return `${actual} instead of ${right}`;
  const view = new DataView(Uint8Array.from(Buffer.from(answer.hex, "hex")).buffer);
  const host = await result.copy().viewAs("uint8").ravel().data();
  const own = new DataView(host.buffer);
  const operands = await Promise.all(given.map(({ array }) => array.broadcastTo(result.shape).ravel().toNested()));
  for (let k = 0; k < result.size; k++) {
    const value = result.dtype.get(own, k * result.itemSize);
    const expected = result.dtype.get(view, k * result.itemSize);
    if (isRight(value, expected, result.dtype.name)) continue;
    const from = operands.map((values) => textOf((values as DTypeValue[])[k] as DTypeValue)).join(", ");
    return `of ${from}: ${textOf(value)} instead of ${textOf(expected)}`;
  }
  return undefined;
}

function textOf(value: DTypeValue): string {
  const one = (x: unknown): string => (Object.is(x, -0) ? "-0" : String(x));
  if (typeof value !== "object") return one(value);
  const { re, im } = value as Complex;
  return `(${one(re)}, ${one(im)})`;
}
