/**
 * Operators against NumPy: pairs of types and of layouts, drawn at random by a fixed seed and by a fresh one, which is printed
 * when it fails. Values lie around zero and at the ends of each type.
 */
import { inspect, isDeepStrictEqual } from "node:util";

import type { DeviceArray, DTypeName } from "@cl/array";
import { expect, test } from "vitest";

import { needs } from "../../core/test/support/needs.js";
import { hasDoubles, queue, xp } from "./support/device.js";
import { askNumPy, hasNumPy } from "./support/numpy.js";

const integers = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"] as const;
const types: readonly DTypeName[] = ["bool", ...integers, "float16", "float32", "float64"];
const layouts = ["whole", "transposed", "reversed", "sliced", "row", "broadcast"] as const;
type Layout = (typeof layouts)[number];

/** Our names, and NumPy's. */
const binary = {
  add: "add",
  sub: "subtract",
  mul: "multiply",
  div: "true_divide",
  floorDivide: "floor_divide",
  remainder: "remainder",
  maximum: "maximum",
  minimum: "minimum",
  equal: "equal",
  notEqual: "not_equal",
  less: "less",
  lessEqual: "less_equal",
  greater: "greater",
  greaterEqual: "greater_equal",
  logicalAnd: "logical_and",
  logicalOr: "logical_or",
  logicalXor: "logical_xor",
  bitwiseAnd: "bitwise_and",
  bitwiseOr: "bitwise_or",
  bitwiseXor: "bitwise_xor",
} as const;
const unary = {
  negative: "negative",
  absolute: "absolute",
  invert: "invert",
  logicalNot: "logical_not",
  sqrt: "sqrt",
} as const;

/** Marsaglia's xorshift: the same numbers for a seed on each machine. */
function random(seed: number): () => number {
  let state = seed | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

interface Operand {
  readonly dtype: DTypeName;
  readonly shape: readonly number[];
  readonly layout: Layout;
  readonly hex: string;
  readonly array: DeviceArray;
}

function operand(dtype: DTypeName, layout: Layout, next: () => number): Operand {
  // What every layout makes of its base can be broadcast to [4, 4].
  const shape = { whole: [4, 4], transposed: [4, 4], reversed: [4, 4], sliced: [5, 8], row: [2, 4], broadcast: [4, 4] }[
    layout
  ];
  const size = shape.reduce((a, b) => a * b, 1);
  const base = xp.empty(shape, { dtype });
  const { itemSize } = base;
  const view = new DataView(new ArrayBuffer(size * itemSize));
  const isFloat = dtype.startsWith("float");
  const bits = itemSize * 8;
  for (let i = 0; i < size; i++) {
    const small = Math.floor(next() * 9) - 4;
    const edge = next() < 0.2;
    const special = [NaN, Infinity, -Infinity, -0][Math.floor(next() * 4)] as number;
    const fraction = Math.floor(next() * 4) / 4;
    const middle = edge ? 2n ** BigInt(bits - 1) + BigInt(small) : BigInt(small);
    if (dtype === "bool") {
      view.setUint8(i, small > 0 ? 1 : 0);
    } else if (isFloat) {
      base.dtype.set(view, i * itemSize, edge ? special : small + fraction);
    } else if (bits === 64) {
      view.setBigUint64(i * 8, BigInt.asUintN(64, middle), true);
    } else {
      const value = Number(BigInt.asUintN(bits, middle));
      if (bits === 8) view.setUint8(i, value);
      else if (bits === 16) view.setUint16(i * 2, value, true);
      else view.setUint32(i * 4, value, true);
    }
  }
  const whole = xp.fromHost(new Uint8Array(view.buffer), { dtype, shape });
  const array = {
    whole: () => whole,
    transposed: () => whole.T,
    reversed: () => whole.slice("::-1", "::-1"),
    sliced: () => whole.slice("1:", "::2"),
    row: () => whole.slice(1),
    broadcast: () => whole.slice(":", ":1").broadcastTo([4, 4]),
  }[layout]();
  return { dtype, shape, layout, hex: Buffer.from(view.buffer).toString("hex"), array };
}

interface Case {
  readonly name: keyof typeof binary | keyof typeof unary;
  readonly operator: string;
  readonly operands: readonly Operand[];
}

type Answer = { readonly error: string } | { readonly dtype: string; readonly shape: number[]; readonly hex: string };

/** Each operator several times, with types and layouts at random. */
function cases(seed: number, times: number): readonly Case[] {
  const next = random(seed);
  const usable = types.filter((type) => hasDoubles || type !== "float64");
  const draw = <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)] as T;
  const make = (): Operand => operand(draw(usable), draw(layouts), next);
  const list: Case[] = [];
  for (let i = 0; i < times; i++) {
    for (const [name, operator] of Object.entries(binary)) {
      list.push({ name: name as keyof typeof binary, operator, operands: [make(), make()] });
    }
    for (const [name, operator] of Object.entries(unary)) {
      list.push({ name: name as keyof typeof unary, operator, operands: [make()] });
    }
  }
  return list;
}

function ours({ name, operands }: Case): DeviceArray | "TypeError" {
  const [first, second] = operands as readonly [Operand, Operand?];
  try {
    return second === undefined
      ? first.array[name as keyof typeof unary]()
      : first.array[name as keyof typeof binary](second.array);
  } catch (error) {
    if (error instanceof TypeError) return "TypeError";
    throw error;
  }
}

/** Which of 0 and -0 is the larger, NumPy decides by the processor's instructions. */
function zeroOf(name: string, value: unknown): unknown {
  return (name === "maximum" || name === "minimum") && value === 0 ? 0 : value;
}

/** Exact but for divisions and roots in float32, which devices may round otherwise. */
const exactDivision = (queue.device.singleFpConfig & 0x80) !== 0;

/** What is not as NumPy has it, one line each. */
async function differences(seed: number, times: number): Promise<readonly string[]> {
  const list = cases(seed, times);
  const question = list.map(({ operator, operands }) => ({
    operator,
    operands: operands.map(({ dtype, shape, layout, hex }) => ({ dtype, shape, layout, hex })),
  }));
  const answers = askNumPy("cases", question) as readonly Answer[];
  const faults: string[] = [];
  for (const [i, one] of list.entries()) {
    const types = one.operands.map(({ dtype, layout }) => `${dtype} ${layout}`).join(", ");
    const difference = await differenceOf(one, answers[i] as Answer);
    if (difference !== undefined) faults.push(`seed ${seed}: ${one.name}(${types}): ${difference}`);
  }
  return faults;
}

async function differenceOf(one: Case, answer: Answer): Promise<string | undefined> {
  const result = ours(one);
  if (result === "TypeError" || "error" in answer) {
    const theirs = "error" in answer ? answer.error : answer.dtype;
    return result === theirs ? undefined : `${String(result)} instead of ${theirs}`;
  }
  const said = `${result.dtype.name} [${result.shape.join()}]`;
  const right = `${answer.dtype} [${answer.shape.join()}]`;
  if (said !== right) return `${said} instead of ${right}`;
  const view = new DataView(Uint8Array.from(Buffer.from(answer.hex, "hex")).buffer);
  const expected = Array.from({ length: result.size }, (_, k) => result.dtype.get(view, k * result.itemSize));
  const values = (await result.ravel().toNested()) as unknown[];
  const rounded = !exactDivision && (one.name === "div" || one.name === "sqrt");
  const isRight = (value: unknown, k: number): boolean => {
    const other = expected[k];
    if (rounded && Number.isFinite(other) && result.dtype.name === "float32") {
      return Math.abs((value as number) - (other as number)) <= Math.abs(other as number) * 4e-7;
    }
    return isDeepStrictEqual(zeroOf(one.name, value), zeroOf(one.name, other));
  };
  return values.every((value, k) => isRight(value, k))
    ? undefined
    : `${inspect(values)} instead of ${inspect(expected)}`;
}

test("operators give NumPy's types, shapes and values, from a fixed seed", { timeout: 300_000 }, async (run) => {
  needs(run, hasNumPy, "NumPy is not there (apt install python3-numpy)");
  expect(await differences(20_261_121, 6)).toEqual([]);
});

test("and from a fresh one", { timeout: 300_000 }, async (run) => {
  needs(run, hasNumPy, "NumPy is not there (apt install python3-numpy)");
  expect(await differences(Math.floor(Math.random() * 2 ** 31), 4)).toEqual([]);
});
