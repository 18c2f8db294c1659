/**
 * Functions that kernels call with vectors: the result of an element must not depend on its neighbors. Vector functions
 * of drivers often treat all lanes alike if one is zero, infinite, NaN, subnormal or huge.
 *
 * @module-tag full
 */
import { type DeviceArray, fuse } from "@cl/array";
import { expect, test } from "vitest";

import { operation } from "../../src/expression/build.js";
import { input } from "../../src/expression/expression.js";
import { binary, type OperatorName, unary } from "../../src/expression/operators.js";
import { vectorCallOf } from "../../src/kernels/operator-code.js";
import { hasDoubles, needsDoubles, xp } from "../support/device.js";
import { randomNumbers } from "../support/numbers.js";

type Real = "float32" | "float64";
type Values = Float32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;
type Compute = (x: DeviceArray<Real>, y: DeviceArray<Real>) => DeviceArray<Real>;

/** More elements than any vector has, and a multiple of the elements that a work-item starts at. */
const block = 64;
const next = randomNumbers(29);

/** Zeros, infinities, NaN, subnormal, negative, huge and ordinary numbers. */
function valuesOf(dtype: Real): readonly number[] {
  const doubles = dtype === "float64";
  const [subnormal, small, huge] = doubles ? [5e-324, 2.3e-308, 1e308] : [1.4e-45, 1.2e-38, 3e38];
  const limits = [0, -0, Infinity, -Infinity, NaN, subnormal, -subnormal * 1000, small, -small, huge, -huge];
  const edges = [1, -1, 0.5, -2, 3, -3.5, 1e7, -1e5, 0.83, 4.1, 10, 710, -746, 89, -105, 128];
  const ordinary = Array.from({ length: 24 }, () => (next() - 0.5) * 20);
  const scaled = Array.from({ length: 16 }, () => (next() - 0.5) * 2 ** ((next() - 0.5) * (doubles ? 600 : 80)));
  return [...limits, ...edges, ...ordinary, ...scaled];
}

/** Compares each result among mixed operands with the result among equal operands, and describes some differences. */
async function compare(dtype: Real, count: number, compute: Compute): Promise<readonly string[]> {
  const operands = operandsOf(dtype, count);
  const List = dtype === "float64" ? Float64Array : Float32Array;
  const run = async (indices: readonly number[]): Promise<Values> => {
    const column = (k: number): Values => new List(indices.map((i) => operands[i]?.[k] as number));
    using x = xp.array(column(0)) as DeviceArray<Real>;
    using y = xp.array(column(1)) as DeviceArray<Real>;
    using result = compute(x, y);
    return await result.data();
  };
  const alone = await run(operands.flatMap((_, i) => Array.from({ length: block }, () => i)));
  const mixed = Array.from({ length: 12 }, () => shuffled(operands.length)).flat();
  const results = await run(mixed);
  const wrong: string[] = [];
  for (const [place, i] of mixed.entries()) {
    if (Object.is(results[place], alone[i * block])) continue;
    wrong.push(`(${String(operands[i])}) is ${alone[i * block]} alone and ${results[place]} among others`);
  }
  return wrong.slice(0, 5);
}

function shuffled(length: number): readonly number[] {
  const order = Array.from({ length }, (_, i) => i);
  for (let i = length - 1; i > 0; i--) {
    const j = Math.floor(next() * (i + 1));
    [order[i], order[j]] = [order[j] as number, order[i] as number];
  }
  return order;
}

function operandsOf(dtype: Real, count: number): readonly (readonly number[])[] {
  const values = valuesOf(dtype);
  if (count === 2) return values.flatMap((x) => values.map((y) => [x, y]));
  return [...values, ...Array.from({ length: 600 }, () => (next() - 0.5) * 10 ** (next() * 6 - 2))].map((x) => [x, 0]);
}

/** The operators that kernels call with vectors, with the names of their methods. */
function vectorizedFunctions(dtype: Real): readonly (readonly [string, number])[] {
  const isVectorized = (name: string, count: number): boolean => {
    try {
      const terms = Array.from({ length: count }, (_, k) => input(k, dtype));
      const node = operation(name as OperatorName, terms, []);
      return node.kind === "operation" && vectorCallOf(node) !== undefined;
    } catch (error) {
      // Integer operators.
      if (error instanceof TypeError) return false;
      throw error;
    }
  };
  return [
    ...Object.keys(unary).map((name) => [name, 1] as const),
    ...Object.keys(binary).map((name) => [name, 2] as const),
  ].filter(([name, count]) => isVectorized(name, count));
}

const method = (name: string, count: number): Compute => {
  return (x, y) => {
    const call = Reflect.get(x, name) as (this: unknown, ...rest: readonly unknown[]) => DeviceArray<Real>;
    return count === 1 ? call.call(x) : call.call(x, y);
  };
};

const types: readonly Real[] = hasDoubles ? ["float32", "float64"] : ["float32"];

for (const dtype of types) {
  test.each(vectorizedFunctions(dtype))(`%s of ${dtype} does not change neighboring elements`, async (name, count) => {
    expect(await compare(dtype, count, method(name, count))).toEqual([]);
  });
}

// A float64 call uses vectors half as wide.
for (const [name, count] of Object.entries({ sin: 1, cos: 1, tan: 1, power: 2 })) {
  test(`${name} after a float64 call does not change neighboring elements`, { tags: "full" }, async (run) => {
    needsDoubles(run);
    const compute = method(name, count);
    const fused = fuse((x: DeviceArray<Real>, y: DeviceArray<Real>) => ({
      result: compute(x, y),
      other: x.astype("float64").exp(),
    }));
    const wrong = await compare("float32", count, (x, y) => {
      const { result, other } = fused(x, y);
      other.release();
      return result;
    });
    expect(wrong).toEqual([]);
  });
}
