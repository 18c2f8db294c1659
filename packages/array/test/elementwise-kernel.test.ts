/** Custom elementwise kernels: operations, accepted arrays, and indices. */
import { BuildError, CommandQueue, Context, structType, TypedValue } from "@cl/core";
import { arrays, type DeviceArray, ElementwiseKernel } from "@cl/array";
import { assert, asyncProperty, constantFrom, integer, tuple } from "fast-check";
import { describe, expect, test } from "vitest";

import { errorLike, outOfRange, wrongState, wrongType, wrongValue } from "@cl/testing/error-like";
import { context, needsDoubles, queue, xp } from "./support/device.js";
import { caseCount } from "@cl/testing/level";

const count = (...shape: number[]): DeviceArray<"float32"> =>
  xp
    .arange(
      shape.reduce((a, b) => a * b, 1),
      { dtype: "float32" },
    )
    .reshape(shape);

describe("an operation", () => {
  test("runs for each element, with values and several outputs", async () => {
    const kernel = new ElementwiseKernel(
      "float a, const float *x, __global float *sum, float *product",
      "sum[i] = x[i] + a; product[i] = x[i] * a",
    );
    const [sum, product] = [xp.empty([1000], { dtype: "float32" }), xp.empty([1000], { dtype: "float32" })];
    kernel.launch(2.5, count(1000), sum, product);
    expect(await sum.data()).toEqual(Float32Array.from({ length: 1000 }, (_, i) => i + 2.5));
    expect(await product.data()).toEqual(Float32Array.from({ length: 1000 }, (_, i) => i * 2.5));
  });

  test("supports a preamble, build options, statements before and after the operation, and `continue`", async () => {
    const kernel = new ElementwiseKernel("const int *x, int *z", "if (x[i] % 2) continue; value = twice(x[i])", {
      name: "even",
      preamble: "int twice(int x) { return FACTOR * x; }",
      options: "-DFACTOR=2",
      before: "int value = -1;",
      after: "z[i] = value;",
    });
    expect(kernel.name).toBe("even");
    const z = xp.empty([5], { dtype: "int32" });
    kernel.launch(xp.arange(5, { dtype: "int32" }), z);
    expect([...(await z.data())]).toEqual([0, -1, 4, -1, 8]);
  });

  test("may read other elements, through nested brackets, comments and fields", { tags: "ci" }, async () => {
    const pair = structType("pair", { x: "int32", y: "int32" });
    const kernel = new ElementwiseKernel(
      "const int *x, const int *index, pair scale, int *z",
      `/* x[i] is not meant here */
       z[i] = x[ index[index[i]] ] * scale.x + x[(i + 1) % 4] * scale . y // nor x[i] here`,
      { types: [pair] },
    );
    const index = xp.array([3, 2, 1, 0], { dtype: "int32" });
    const x = xp.array([10, 20, 30, 40], { dtype: "int32" });
    for (const [one, other] of [
      [x, index],
      [x.slice("::-1").copy().slice("::-1"), index.slice("::-1").copy().slice("::-1")],
    ] as const) {
      const z = xp.empty([4], { dtype: "int32" });
      kernel.launch(one, other, { x: 1, y: 100 }, z);
      expect([...(await z.data())]).toEqual([2010, 3020, 4030, 1040]);
    }
  });

  test("has a 64-bit index", { tags: "full" }, async () => {
    const z = xp.empty([100_000], { dtype: "int64" });
    new ElementwiseKernel("long *z", "z[i] = i * i").launch(z);
    expect(await z.slice(-1).item()).toBe(99_999n ** 2n);
  });

  test("throws a BuildError if it does not compile", { tags: "ci" }, () => {
    const kernel = new ElementwiseKernel("float *z", "z[i] = nothing", { name: "broken" });
    expect(() => kernel.launch(count(3))).toThrow(errorLike(BuildError, "CL_BUILD_PROGRAM_FAILURE"));
  });
});

describe("strided arrays", () => {
  const double = new ElementwiseKernel("const float *x, float *z", "z[i] = 2 * x[i]");

  test("are read and written in place", async () => {
    const z = xp.zeros([4, 6], { dtype: "float32" });
    double.launch(count(3, 2).T, z.slice("::2", "::-2"));
    expect(await z.slice("::2").toNested()).toEqual([[0, 8, 0, 4, 0, 0], [0, 10, 0, 6, 0, 2]]); // prettier-ignore
    expect(await z.slice("1::2").any().item()).toBe(false);
  });

  test("are numbered in C order if the operation uses the index", { tags: "ci" }, async () => {
    const z = xp.zeros([3, 2], { dtype: "float32" });
    new ElementwiseKernel("float *z", "z[i] = i").launch(z.T);
    expect([...(await z.T.data())]).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test("are broadcast if they are const", { tags: "ci" }, async () => {
    const z = xp.empty([2, 3], { dtype: "float32" });
    const kernel = new ElementwiseKernel("const float *x, const float *y, float *z", "z[i] = 10 * x[i] + y[i]");
    kernel.launch(count(2, 1), count(3), z);
    expect([...(await z.data())]).toEqual([0, 1, 2, 10, 11, 12]);
    kernel.launch(count(1), count(1, 2), z.T.slice(":2", ":").T);
    expect(() => kernel.launch(count(2, 3), count(3), count(3))).toThrow(outOfRange());
    expect(() => kernel.launch(count(2), count(3), count(3))).toThrow(outOfRange());
  });

  test("give the results of operators for all combinations of layouts and operations", { tags: "full" }, async () => {
    const texts = [
      "z[i] = x[i] + 3 * y[i]",
      "z[i] = x[i] + 3 * y[i] + 0 * i",
      "const long j = i; z[j] = x[i] + 3 * y[j]",
      "z[i] = x[i + 0] + 3 * y[i]",
    ].map((operation) => new ElementwiseKernel("const float *x, const float *y, float *z", operation));
    const layouts = ["whole", "transposed", "reversed", "stepped", "offset", "broadcast"] as const;
    const make = (
      layout: (typeof layouts)[number],
      [a, b, c]: readonly [number, number, number],
    ): DeviceArray<"float32"> =>
      ({
        whole: () => count(a, b, c),
        transposed: () => count(c, a, b).transpose([1, 2, 0]),
        reversed: () => count(a, b, c).slice("::-1", ":", "::-1"),
        stepped: () => count(a, 2 * b, c).slice(":", "1::2"),
        offset: () => count(a + 1, b, c).slice("1:"),
        broadcast: () => count(b, 1).broadcastTo([a, b, c]),
      })[layout]();
    const side = integer({ min: 1, max: 5 });
    const anyLayout = constantFrom(...layouts);
    await assert(
      asyncProperty(
        tuple(side, side, side),
        anyLayout,
        anyLayout,
        anyLayout.filter((one) => one !== "broadcast"),
        constantFrom(...texts),
        async (shape, one, other, target, kernel) => {
          const [x, y, z] = [make(one, shape), make(other, shape), make(target, shape)];
          const expected = await x.add(y.mul(3)).data();
          kernel.launch(x, y, z);
          expect(await z.data()).toEqual(expected);
        },
      ),
      { numRuns: caseCount(60) },
    );
  });

  test("are rejected if the operation uses the pointer itself", { tags: "full" }, () => {
    const kernel = new ElementwiseKernel("const float *x, float *z", "z[i] = vload2(0, x).x");
    const z = count(2);
    kernel.launch(count(4), z);
    expect(() => kernel.launch(count(4).slice("::2"), z)).toThrow(wrongValue());
  });

  test("are rejected if they partly overlap, and accepted at the same position", async () => {
    const a = count(10);
    expect(() => double.launch(a.slice(":-1"), a.slice("1:"))).toThrow(wrongValue());
    double.launch(a.slice("::2"), a.slice("1::2"));
    double.launch(a, a);
    expect([...(await a.data())]).toEqual([0, 0, 4, 8, 8, 16, 12, 24, 16, 32]);
  });

  test("may be empty", { tags: "full" }, async () => {
    const z = xp.empty([0, 3], { dtype: "float32" });
    double.launch(count(0, 3), z);
    await expect(double.enqueue({}, count(0, 3), z).wait()).resolves.toBeUndefined();
  });
});

describe("indices", () => {
  const mark = new ElementwiseKernel("float *z", "z[i] += 1 + i");

  test("may be a slice of all indices", async () => {
    for (const [slice, expected] of [
      ["1:-1", [0, 2, 3, 4, 0]],
      ["::-2", [1, 0, 3, 0, 5]],
      [
        [null, 2],
        [1, 2, 0, 0, 0],
      ],
      ["3:1", [0, 0, 0, 0, 0]],
      ["4:0:-3", [0, 2, 0, 0, 5]],
    ] as const) {
      const z = xp.zeros([5], { dtype: "float32" });
      await mark.enqueue({ slice }, z).wait();
      expect([...(await z.data())], String(slice)).toEqual(expected);
    }
  });

  test("may be a range that indexes each array in C order", { tags: "ci" }, async () => {
    const kernel = new ElementwiseKernel("const float *x, float *z", "z[i] = x[i]");
    const z = xp.zeros([2, 4], { dtype: "float32" });
    kernel.enqueue({ range: [1, 4] }, count(2, 2).T, z.slice(":", "::2"));
    expect([...(await z.data())]).toEqual([0, 0, 2, 0, 1, 0, 3, 0]);
    kernel.enqueue({ range: [5, -1, -5] }, count(6).mul(7), count(9));
    expect(() => kernel.enqueue({ range: 5 }, count(2, 2), z)).toThrow(outOfRange("options.range"));
  });

  test("range over the arrays indexed by i; other arrays may have any shape", { tags: "full" }, async () => {
    const kernel = new ElementwiseKernel("const float *table, const int *key, float *z", "z[i] = table[key[i]]");
    const z = xp.empty([2, 2], { dtype: "float32" });
    kernel.launch(count(10).mul(10), xp.array([9, 0, 5, 1], { dtype: "int32" }).reshape([2, 2]), z);
    expect([...(await z.data())]).toEqual([90, 0, 50, 10]);
  });
});

describe("types", () => {
  test("may be declared as objects", async () => {
    const kernel = new ElementwiseKernel(
      [
        { value: "a", dtype: "int16" },
        { array: "x", dtype: Float32Array, readonly: true },
        { array: "z", dtype: "float32" },
      ],
      "z[i] = a * x[i]",
    );
    const z = xp.empty([3], { dtype: "float32" });
    kernel.launch(-2, count(1).add(1).broadcastTo([3]), z);
    expect([...(await z.data())]).toEqual([-2, -2, -2]);
  });

  test("of values are checked", { tags: "ci" }, () => {
    const kernel = new ElementwiseKernel("uchar n, long m, float3 v, cfloat_t c, bool b, half h, float *z", "z[i] = n");
    const right = [1, 2n, [1, 2, 3], { re: 1, im: 2 }, true, 0.5] as const;
    const z = count(2);
    kernel.launch(...right, z);
    kernel.launch(1, 2n, Float32Array.of(1, 2, 3), 4, true, 0.5, z);
    for (const [k, wrong, error] of [
      [0, 256, outOfRange('argument "n"')],
      [0, 1.5, outOfRange('argument "n"')],
      [1, 2.5, outOfRange('argument "m"')],
      [2, [1, 2], wrongType('argument "v"')],
      [3, "1", wrongType('argument "c"')],
      [4, 1, wrongType('argument "b"')],
      [5, 1e6, outOfRange('argument "h"')],
      [0, new TypedValue("int32", 1), wrongType('argument "n"')],
    ] as const) {
      const args: unknown[] = [...right, z];
      args[k] = wrong;
      expect(() => kernel.launch(...(args as Parameters<typeof kernel.launch>)), `argument ${k}`).toThrow(error);
    }
  });

  test("of arrays must match the declared ones", { tags: "ci" }, () => {
    const kernel = new ElementwiseKernel("const float *x, float *z", "z[i] = x[i]");
    // @ts-expect-error int32 is not a float dtype
    expect(() => kernel.launch(xp.arange(3, { dtype: "int32" }), count(3))).toThrow(wrongType());
    // @ts-expect-error a number is not an array
    expect(() => kernel.launch(count(3), 3)).toThrow(wrongType());
    // @ts-expect-error an argument is missing
    expect(() => kernel.launch(count(3))).toThrow(wrongValue());
    expect(() => kernel.launch(count(3), count(1).broadcastTo([3]))).toThrow(wrongState());
  });

  test("may be float16, which is loaded as float", { tags: "full" }, async () => {
    const kernel = new ElementwiseKernel("const half *x, float *z", "z[i] = 2 * x[i]");
    const x = xp.array([0.5, 1.5, 2.5, 3.5], { dtype: "float16" });
    for (const view of [x, x.slice("::-1")]) {
      const z = xp.empty([4], { dtype: "float32" });
      kernel.launch(view, z);
      expect(await z.data()).toEqual(await view.astype("float32").mul(2).data());
    }
  });

  test("may be bool or float64", { tags: "full" }, async (run) => {
    const flags = xp.array([true, false]);
    new ElementwiseKernel("uchar *z", "z[i] = !z[i]").launch(flags);
    new ElementwiseKernel("bool *z, bool flip", "z[i] = flip ? !z[i] : z[i]").launch(flags, true);
    expect(await flags.toNested()).toEqual([true, false]);
    needsDoubles(run);
    const z = xp.zeros([2], { dtype: "float64" });
    new ElementwiseKernel("double a, double *z", "z[i] += a").launch(1e-300, z);
    expect([...(await z.data())]).toEqual([1e-300, 1e-300]);
  });

  test("may be complex, with PyOpenCL's functions", { tags: "full" }, async () => {
    const kernel = new ElementwiseKernel(
      "cfloat_t a, const cfloat_t *x, cfloat_t *z",
      "z[i] = cfloat_add(cfloat_mul(a, x[i]), cfloat_conj(cfloat_divide(x[i], cfloat_fromreal(2))))",
    );
    const x = xp.fromHost(Float32Array.of(1, 2, -3, 0.5), { dtype: "complex64" });
    const z = xp.empty([2], { dtype: "complex64" });
    kernel.launch({ re: 0, im: 1 }, x, z);
    expect([...(await z.data())]).toEqual([-1.5, 0, -2, -3.25]);
  });

  test.each([
    ["float", outOfRange("parameters")],
    ["const *x", outOfRange("parameters")],
    ["float x y *", outOfRange("parameters")],
    ["float *x y", outOfRange("parameters")],
    ["float *x[]", outOfRange("parameters")],
    ["__local float *x", outOfRange("parameters")],
    ["pair *x", outOfRange("parameters")],
    ["float **x", outOfRange("parameters")],
    ["float *x, int x", wrongValue("parameters")],
    ["float *i", wrongValue("parameters")],
    ["float *x_", wrongValue("parameters")],
    ["float a", wrongValue("parameters")],
    ["float *while", wrongType('"while"')],
  ])("throw if they are invalid: %s", (parameters, error) => {
    expect(() => new ElementwiseKernel(parameters, "")).toThrow(error);
  });

  test("have C names in declaration strings", { tags: "full" }, async () => {
    const z = count(2);
    const kernel = new ElementwiseKernel("float4 v, int8 w, unsigned int u, float *z", "z[i] = v.w + w.s7 + u");
    kernel.launch([1, 2, 3, 4], [1, 2, 3, 4, 5, 6, 7, 8], 5, z);
    expect([...(await z.data())]).toEqual([17, 17]);
  });
});

describe("ordering", () => {
  test("is kept on out-of-order queues and between queues", { tags: "ci" }, async () => {
    const loose = arrays(new CommandQueue(context, { outOfOrder: true }));
    const add = new ElementwiseKernel("const float *x, float *y, float *z", "y[i] = x[i] + 1; z[i] = y[i] + 1");
    const list = Array.from({ length: 21 }, () => loose.zeros([10_000], { dtype: "float32" }));
    for (let k = 0; k + 2 < list.length; k += 2) {
      add.launch(...(list.slice(k, k + 3) as [DeviceArray<"float32">, DeviceArray<"float32">, DeviceArray<"float32">]));
    }
    const last = list.at(-1) as DeviceArray<"float32">;
    const other = xp.empty([10_000], { dtype: "float32" });
    add.enqueue({ queue }, last, xp.empty([10_000], { dtype: "float32" }), other);
    expect(new Set(await other.data())).toEqual(new Set([22]));
  });

  test("does not overwrite data that an enqueued command still reads", { tags: "full" }, async () => {
    const loose = arrays(new CommandQueue(context, { outOfOrder: true }));
    const copy = new ElementwiseKernel("const float *x, float *z", "z[i] = x[i]");
    const x = loose.ones([200_000], { dtype: "float32" });
    const z = loose.empty([200_000], { dtype: "float32" });
    for (let k = 0; k < 10; k++) {
      copy.launch(x, z);
      x.assign(k);
      x.assign(1);
    }
    expect(new Set(await z.data())).toEqual(new Set([1]));
  });

  test("rejects arrays and queues of different contexts", { tags: "ci" }, () => {
    const elsewhere = arrays(new CommandQueue(Context.create()));
    const kernel = new ElementwiseKernel("const float *x, float *z", "z[i] = x[i]");
    const far = elsewhere.zeros([3], { dtype: "float32" });
    expect(() => kernel.launch(count(3), far)).toThrow(wrongValue());
    expect(() => kernel.enqueue({ queue: elsewhere.queue }, count(3), count(3))).toThrow(wrongValue());
    kernel.launch(far, elsewhere.zeros([3], { dtype: "float32" }));
  });

  test("starts after the events in `waitFor`", async () => {
    const z = count(3);
    const kernel = new ElementwiseKernel("float *z", "z[i] += 1");
    const first = kernel.enqueue({}, z);
    const second = kernel.enqueue({ waitFor: [first, first] }, z);
    await kernel.enqueue({ waitFor: second }, z).wait();
    expect([...(await z.data())]).toEqual([3, 4, 5]);
    // @ts-expect-error a number is not an event
    expect(() => kernel.enqueue({ waitFor: 3 }, z)).toThrow(wrongType("options.waitFor"));
  });
});

describe("arrays of structs and vectors", () => {
  const pair = structType("pair", { low: "float32", high: "float32", count: "int32" });

  test("are read and written in any layout", { tags: "ci" }, async () => {
    const all = xp.records(pair, [2, 3]);
    new ElementwiseKernel("pair *p, const float *x", "p[i].low = x[i]; p[i].high = -x[i]; p[i].count = (int)i;", {
      types: [pair],
    }).launch(all.slice("::-1"), count(2, 3));
    expect(await all.slice(1, 2).item()).toEqual({ low: 2, high: -2, count: 2 });
    expect([...(await all.field("low").data())]).toEqual([3, 4, 5, 0, 1, 2]);
    expect(() => new ElementwiseKernel("float *z", "z[i] = 0").launch(all as never)).toThrow(wrongType());
  });

  test("may have vector elements", { tags: "ci" }, async () => {
    const points = xp.recordsFrom(new Float32Array([1, 2, 3, 4, 5, 6, 7, 8]), "float4");
    const z = xp.empty([2], { dtype: "float32" });
    new ElementwiseKernel("const float4 *p, float *z", "z[i] = dot(p[i], (float4)(1, 0, 0, 1))").launch(points, z);
    expect(await z.toNested()).toEqual([5, 13]);
  });
});
