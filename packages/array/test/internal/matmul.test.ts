/** Matrix products compared with NumPy's. */
import { hasParallelWorkItems } from "@cl/characterize";
import { overrideProperties } from "@cl/characterize/testing";
import { Context, CommandQueue, DeviceType } from "@cl/core";
import { type Arrays, arrays, type DeviceArray, type DTypeName } from "@cl/array";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { gemm } from "../../src/linear-algebra/matmul.js";
import { outOfRange, wrongType, wrongValue } from "@cl/testing/error-like";
import { hasDoubles, xp } from "../support/device.js";
import { sample, testSeed, testsEveryCase } from "@cl/testing/level";
import {
  counted,
  countedText,
  Draw,
  type EvalCase,
  evalDifferences,
  needsNumPy,
  pairsOf,
} from "../support/numpy-eval.js";

beforeEach(needsNumPy);

type Shape = readonly number[];

const types: readonly DTypeName[] = [
  ...(["bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16"] as const),
  ...(["float32", "complex64"] as const),
  ...(hasDoubles ? (["float64", "complex128"] as const) : []),
];

/**
 * Integers whose sums of products are exact in all but the small dtypes, so that the order of additions does not
 * matter.
 */
function operand(shape: Shape, dtype: DTypeName, modulus: number): DeviceArray {
  return counted(shape, "uint8").remainder(modulus).astype(dtype);
}

function operandText(shape: Shape, dtype: DTypeName, modulus: number): string {
  return `(${countedText(shape, "uint8")} % ${modulus}).astype("${dtype}")`;
}

function pair(a: Shape, b: Shape, one: DTypeName, other: DTypeName = one): EvalCase {
  const modulus = [one, other].includes("float16") ? 5 : 97;
  return {
    ours: () => operand(a, one, modulus).matmul(operand(b, other, modulus)),
    theirs: `np.matmul(${operandText(a, one, modulus)}, ${operandText(b, other, modulus)})`,
  };
}

/** A view of a matrix: how we and how NumPy create it. */
type View = readonly [ours: (a: DeviceArray) => DeviceArray, theirs: (a: string) => string];

/** Views of matrices of 40 rows and 41 columns. */
const views: readonly View[] = [
  [(a) => a.slice("1:38", "2:39"), (a) => `${a}[1:38, 2:39]`],
  [(a) => a.slice("1:38", "2:39").T, (a) => `${a}[1:38, 2:39].T`],
  [(a) => a.slice("36::-1", "38:1:-1"), (a) => `${a}[36::-1, 38:1:-1]`],
  [(a) => a.slice("::2", "1::2").slice(":18", ":18"), (a) => `${a}[::2, 1::2][:18, :18]`],
  [(a) => a.slice(3, ":37").broadcastTo([37, 37]), (a) => `np.broadcast_to(${a}[3, :37], (37, 37))`],
  [(a) => a.slice(":37", "5:6").broadcastTo([37, 37]), (a) => `np.broadcast_to(${a}[:37, 5:6], (37, 37))`],
];

/** The product of as many columns of one view as another one has rows. */
function viewCase([one, theirs]: View, [other, theirsToo]: View, a: Shape, b: Shape): EvalCase {
  const [left, right] = [operandText(a, "float32", 97), operandText(b, "float32", 89)];
  return {
    ours: () => {
      const [x, y] = [one(operand(a, "float32", 97)), other(operand(b, "float32", 89))];
      const k = Math.min(x.shape[1] as number, y.shape[0] as number);
      return x.slice(":", [0, k]).matmul(y.slice([0, k]));
    },
    theirs:
      "(lambda x, y: (lambda k: np.ascontiguousarray(x[:, :k]) @ np.ascontiguousarray(y[:k]))" +
      `(min(x.shape[1], y.shape[0])))(${theirs(left)}, ${theirsToo(right)})`,
  };
}

const shapes = [
  // One-dimensional operands, on either side and both.
  ..."5; 5 | 5; 5,4 | 4,5; 5 | 3,4,5; 5 | 5; 3,5,4 | 300; 300,40 | 40,300; 300".split(" | "),
  // Empty operands: no rows, no columns, no products, no matrices.
  ..."0,4; 4,3 | 3,4; 4,0 | 3,0; 0,4 | 0,2,3; 3,4 | 0; 0 | 2,0; 0 | 2,3,0; 0,2".split(" | "),
  ..."1,1; 1,1 | 1,5; 5,1 | 5,1; 1,5".split(" | "),
  // Batches that broadcast.
  ..."2,3,4; 2,4,5 | 2,3,4; 4,5 | 3,4; 2,4,5 | 2,1,3,4; 3,4,2 | 2,3,30,20; 3,20,33".split(" | "),
  ..."5,1,2,3,2,20,18; 2,1,2,1,18,17 | 300,6,7; 300,7,5".split(" | "),
].map((text): readonly [Shape, Shape] => {
  const [a, b] = text.split("; ").map((shape) => shape.split(",").map(Number));
  return [a as Shape, b as Shape];
});

const ones = (...shape: number[]): DeviceArray<"float32"> => xp.ones(shape, { dtype: "float32" });

describe("matmul", () => {
  const some = sample(["float32", "bool", "int8", "uint64", "float16", "complex64"] as const, 1);
  test.each(testsEveryCase ? types : some)("multiplies %s matrices at block boundaries", async (type) => {
    const edges = testsEveryCase
      ? [1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 129, 257]
      : [2, 8, 9, 31, 33, 65];
    const cases = edges.flatMap((edge) => [
      pair([edge, 19], [19, 33], type),
      pair([17, edge], [edge, 20], type),
      pair([18, 21], [21, edge], type),
      pair([edge, 70], [70, 64], type),
    ]);
    expect(
      await evalDifferences([...cases, pair([5, 2200], [2200, 6], type), pair([130, 300], [300, 70], type)]),
    ).toEqual([]);
  });

  test("supports every shape that NumPy supports", async () => {
    expect(await evalDifferences(shapes.map(([a, b]) => pair(a, b, "int32")))).toEqual([]);
  });

  test("promotes two dtypes to one", { tags: "full" }, async () => {
    const mixed = pairsOf("int8 float32, float16 float32, bool int16, int8 uint8, float32 complex64, float16 int8");
    const more = hasDoubles ? pairsOf("int32 float32, uint64 int64, complex64 float64") : [];
    const cases = (testsEveryCase ? [...mixed, ...more] : mixed.slice(0, 3)).flatMap(([one, other]) => [
      pair([20, 21], [21, 22], one, other),
      pair([3, 4], [4, 5], other, one),
    ]);
    expect(await evalDifferences(cases)).toEqual([]);
  });

  test("supports views of every layout for both operands", { tags: "full" }, async () => {
    const cases = views.flatMap((one) => views.map((other) => viewCase(one, other, [40, 41], [40, 41])));
    expect(await evalDifferences(cases)).toEqual([]);
  });

  test("multiplies random shapes", { tags: "full" }, async () => {
    const draw = new Draw(testSeed(11));
    const cases = Array.from({ length: testsEveryCase ? 60 : 12 }, () => {
      const [m, k, n] = Array.from({ length: 3 }, () => draw.integer(1, draw.of([4, 40, 200]))) as [
        number,
        number,
        number,
      ];
      const batch = draw.shape(draw.integer(0, 2), 3);
      return pair([...batch, m, k], [...(draw.integer(0, 1) === 0 ? [] : batch), k, n], "float32");
    });
    expect(await evalDifferences(cases)).toEqual([]);
  });

  test("multiplies fractions within rounding error", { tags: "full" }, async () => {
    const cases = (
      hasDoubles ? (["float32", "float64", "complex64", "complex128"] as const) : (["float32", "complex64"] as const)
    ).map((type): readonly [EvalCase, number] => [
      {
        ours: () =>
          operand([70, 300], type, 97)
            .add(0.1)
            .sqrt()
            .matmul(operand([300, 50], type, 97).add(0.3).sqrt()),
        theirs: `np.sqrt(${operandText([70, 300], type, 97)} + np.float32(0.1).astype("${type}")) @ np.sqrt(${operandText([300, 50], type, 97)} + np.float32(0.3).astype("${type}"))`,
      },
      // NumPy rounds 0.1 to float32.
      1e-5,
    ]);
    for (const [one, close] of cases) expect(await evalDifferences([one], close)).toEqual([]);
  });

  test("adds float16 products as float32 and rounds once", { tags: "full" }, async () => {
    const a = xp.ones([9, 4096], { dtype: "float16" });
    expect(await a.matmul(a.T).max().item()).toBe(4096);
    const small = xp.full([9, 4099], 0.0625, { dtype: "float16" });
    expect(await small.matmul(small.T).min().item()).toBe(16.015625);
  });

  test("a NaN or infinite sum affects only its own element", { tags: "full" }, async () => {
    const a = xp.ones([20, 40], { dtype: "float32" });
    a.slice(3, 5).assign(xp.full([], NaN, { dtype: "float32" }));
    a.slice(19, 0).assign(xp.full([], Infinity, { dtype: "float32" }));
    const product = a.matmul(xp.ones([40, 37], { dtype: "float32" }));
    const sums = await product.slice(":", 0).data();
    expect(
      [...sums].map((value, i) => (i === 3 ? Number.isNaN(value) : value === (i === 19 ? Infinity : 40))),
    ).not.toContain(false);
    // The previous contents of the result are not read.
    const out = xp.full([20, 37], NaN, { dtype: "float32" });
    a.slice("5:9").matmul(xp.ones([40, 37], { dtype: "float32" }), { out: out.slice("5:9") });
    expect(await out.slice("5:9").min().item()).toBe(40);
  });

  test("writes into `out`: strided, transposed, of another dtype, or an operand", async () => {
    const [a, b] = [operand([20, 30], "float32", 9), operand([30, 40], "float32", 7)];
    const expected = await a.matmul(b).data();
    const wide = xp.zeros([40, 100], { dtype: "float32" });
    const result = a.matmul(b, { out: wide.slice("::2", "7:47") });
    expect(result.shape).toEqual([20, 40]);
    expect(await wide.slice("::2", "7:47").data()).toEqual(expected);
    expect(await wide.slice("1::2").any().item()).toBe(false);
    const transposed = xp.zeros([40, 20], { dtype: "float32" });
    a.matmul(b, { out: transposed.T });
    expect(await transposed.T.data()).toEqual(expected);
    const other = xp.zeros([20, 40], { dtype: "complex64" });
    a.matmul(b, { out: other });
    expect(await other.real.copy().data()).toEqual(expected);
    const square = operand([30, 30], "float32", 5);
    const twice = await square.matmul(square).data();
    square.matmul(square, { out: square });
    expect(await square.data()).toEqual(twice);
  });

  test.each<[string, () => unknown, Error]>([
    ["too few rows", () => ones(2, 3).matmul(ones(2, 3)), outOfRange("matmul")],
    ["batches of other lengths", () => ones(2, 3, 4).matmul(ones(3, 4, 5)), outOfRange()],
    ["an array without axes", () => ones(2, 3).matmul(ones()), outOfRange()],
    ["a number", () => ones(2, 3).matmul(3 as never), wrongType("other")],
    ["an output of another shape", () => ones(2, 3).matmul(ones(3, 2), { out: ones(3, 3) }), outOfRange("options.out")],
    [
      "an output of another dtype",
      () => ones(2, 3).matmul(ones(3, 2), { out: xp.ones([2, 2], { dtype: "int32" }) }),
      wrongType("options.out"),
    ],
    [
      "arrays of another context",
      () => arrays(new CommandQueue(Context.create())).matmul(ones(2, 3), ones(3, 2)),
      wrongValue(),
    ],
  ])("rejects %s before anything is enqueued", (_name, call, error) => {
    expect(call).toThrow(error);
  });

  test("splits long sums with few results, also in batches", async () => {
    const [a, b] = [operand([1, 2, 1100], "float32", 9), operand([6, 1100, 2], "float32", 7)];
    const expected = await a.matmul(b).data();
    const c = xp.zeros([2, 6, 2], { dtype: "float32" });
    const out = c.transpose([1, 0, 2]);
    a.matmul(b, { out });
    expect(await out.data()).toEqual(expected);
    expect(
      await evalDifferences([pair([3, 5000], [5000, 5], "int32"), pair([2, 1, 1100], [6, 1100, 2].slice(1), "int32")]),
    ).toEqual([]);
  });

  test("gemm adds to the output and conjugates operands", async () => {
    const [a, b] = [operand([20, 30], "complex64", 9), operand([30, 40], "complex64", 7)];
    const z = a.mul({ re: 1, im: 2 });
    for (const [m, n] of [
      [20, 40],
      [3, 2],
    ] as const) {
      const c = xp.ones([m, n], { dtype: "complex64" });
      gemm(c, z.slice([0, m]), b.slice(":", [0, n]), { alpha: -2, beta: 3, conjugateA: true });
      const expected = z
        .slice([0, m])
        .conj()
        .matmul(b.slice(":", [0, n]))
        .mul(-2)
        .add(3);
      expect([...(await c.data())]).toEqual([...(await expected.data())]);
    }
  });
});

/** Matrix products with GPU kernels. Only a few, because CPU compilers are slow on them. */
describe("matmul with GPU kernels", () => {
  let gpu: Arrays;
  let override: Disposable;

  beforeAll(() => {
    const h100 = { type: DeviceType.GPU, computeCapabilityMajorNv: 9, computeCapabilityMinorNv: 0 };
    override = overrideProperties(xp.queue.device, h100);
    gpu = xp;
  });
  afterAll(() => {
    override[Symbol.dispose]();
  });

  /** Matrices that are contiguous along rows or columns, at aligned or unaligned offsets, or strided along both. */
  const layouts: readonly View[] = [
    [(a) => a, (a) => a],
    [(a) => a.slice(":", "1:"), (a) => `${a}[:, 1:]`],
    [(a) => a.copy({ order: "F" }), (a) => a],
    [(a) => a.copy({ order: "F" }).slice("1:"), (a) => `${a}[1:]`],
    [(a) => a.slice("::-1", "::2"), (a) => `${a}[::-1, ::2]`],
  ];
  test("supports row-major and column-major matrices", { timeout: 300_000 }, async () => {
    const pairs = layouts.flatMap((one) => layouts.map((other) => viewCase(one, other, [72, 80], [80, 76])));
    expect(await evalDifferences(testsEveryCase ? pairs : pairs.slice(17, 18))).toEqual([]);
  });

  test("multiplies with tiles of every size, whole and partial", { timeout: 300_000 }, async () => {
    const sizes = "250 9 255, 256 16 256, 190 9 254, 192 16 256, 60 17 250, 64 32 256, 30 18 62".split(", ");
    const cases = sizes.slice(0, testsEveryCase ? sizes.length : 2).map((text) => {
      const [m, k, n] = text.split(" ").map(Number) as [number, number, number];
      return pair([m, k], [k, n], "float32");
    });
    expect(await evalDifferences(cases)).toEqual([]);
  });

  const some: readonly DTypeName[] = testsEveryCase ? types : ["float32"];
  test.each(some)("multiplies %s matrices in every way", { timeout: 300_000, tags: "full" }, async (type) => {
    expect(hasParallelWorkItems(gpu.queue.device)).toBe(true);
    const cases = [
      pair([3, 4], [4, 5], type),
      pair([65, 19], [19, 66], type),
      pair([5, 2200], [2200, 6], type),
      pair([2, 20, 33], [33, 40], type),
    ];
    if (testsEveryCase) cases.push(pair([130, 20], [20, 260], type));
    expect(await evalDifferences(cases)).toEqual([]);
  });
});
