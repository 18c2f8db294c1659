import { DeviceBuffer } from "@cl/core";
import {
  ElementwiseLauncher,
  type ElementwiseOptions,
  KernelLauncher,
  type Launcher,
  ListLauncher,
} from "@cl/launcher";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { needs } from "@cl/base/testing";
import { caseCount, sample } from "@cl/testing/level";
import { context, floats, ints, outOfOrder, program, queue, read } from "./support/device.js";
import { plus } from "./support/launchers.js";
import { disposed } from "@cl/testing/core-errors";
import { wrongType } from "@cl/testing/error-like";

const op = (name: string, options: ElementwiseOptions): ElementwiseLauncher =>
  ElementwiseLauncher.createSync(name, context, options);
const bytesOf = async (buffer: DeviceBuffer<Float32Array>): Promise<number[]> => [
  ...new Uint32Array((await queue.read(buffer)).buffer),
];
const alignment = Math.max(...context.devices.map(({ memBaseAddrAlign }) => memBaseAddrAlign)) / 32;

describe("a fused list", () => {
  test("runs consecutive element-wise members as one kernel, with the same results, parameters and names", async () => {
    const [u, v, w] = [floats(1, 2, 3), floats(4, 5, 6), floats(0, 0, 0)];
    const list = new ListLauncher("step").push(
      op("grow", {
        signature: "float *u, float rate, float dt",
        body: "u[i] += dt * rate * u[i]",
        args: [u, 0.5],
        parameters: ["dt"],
      }),
      op("mix", {
        signature: "float *a, const float *b, float dt",
        body: "a[i] += dt * b[i];",
        args: [v, u],
        parameters: ["dt"],
      }),
      op("copy", {
        signature: "const float *v, float *w, float scale",
        body: "float dt = v[i]; w[i] = scale * dt",
        args: [v, w],
        parameters: { factor: "scale" },
      }),
    );
    list.launch(queue, { dt: 1, factor: 2 });
    expect(await read(w)).toEqual([2 * 5.5, 2 * 8, 2 * 10.5]);
    const [report, ...others] = await list.fuse();
    expect(others).toEqual([]);
    expect(report?.fused).toBe(true);
    expect(report?.members).toEqual(['launcher "grow"', 'launcher "mix"', 'launcher "copy"']);
    expect(report?.source).toContain("{ // mix");
    expect(list.fusions).toEqual([report]);
    expect(list.length).toBe(3);
    expect([...list.parameters.keys()]).toEqual(["dt", "factor"]);
    for (const target of [queue, outOfOrder]) await list.enqueue(target, { dt: 0, factor: 4 }).wait();
    expect(await read(w)).toEqual([22, 32, 42]);
    const table = list.parameterTable();
    table.values.set([1, 1], 0);
    table.launch(queue);
    expect(await read(w)).toEqual([5.5 + 2.25, 8 + 4.5, 10.5 + 6.75]);
    expect(() => list.launch(queue, { dt: 1, factor: "2" })).toThrow(wrongType());
  });

  test("gives bitwise the same results as separate kernels", { tags: "ci" }, async () => {
    const statements = [
      "x[i] = x[i] * s + y[i];",
      "float t = x[i] * y[i]; x[i] = t - s * y[i];",
      "if (x[i] > y[i]) x[i] = y[i] * 0.7f; else x[i] += s;",
      "x[i] = x[i] / (1.0f + y[i] * y[i]) + s * x[i];",
      "x[i] += exp(-y[i] * y[i]) * s + sin(x[i]);",
      "for (int k = 0; k < 3; k++) x[i] = x[i] * x[i] * 0.25f + s * k - y[i];",
      "x[i] = mad(x[i], s, y[i]) + fma(y[i], s, x[i]);",
    ];
    const member = fc.record({
      x: fc.nat(2),
      y: fc.nat(3),
      body: fc.constantFrom(...statements),
      s: fc.float({ min: -2, max: 2, noNaN: true }),
    });
    const start = Array.from({ length: 4 }, (_, k) =>
      Float32Array.from({ length: 77 }, (__, i) => Math.sin(i * (k + 1))),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(member, { minLength: 2, maxLength: 5 }), async (members) => {
        const run = async (fused: boolean): Promise<number[][]> => {
          const arrays = start.map((values) => DeviceBuffer.from(context, values));
          const list = new ListLauncher("list");
          for (const [k, { x, y, body, s }] of members.entries()) {
            const args = [arrays[x], arrays[y === x ? 3 : y], s];
            list.push(op(`m${k}`, { signature: "float *x, const float *y, float s", body, args }));
          }
          if (fused) expect((await list.fuse()).map((one) => one.fused)).toEqual([true]);
          list.launch(queue);
          list.launch(queue);
          return Promise.all(arrays.map(bytesOf));
        };
        expect(await run(true)).toEqual(await run(false));
      }),
      { numRuns: caseCount(8) },
    );
  });

  test("runs later members separately until it is fused again, and does not release its members", async () => {
    const x = ints(0, 0);
    const one = op("plus", { signature: "int *x", body: "x[i] += 1", args: [x] });
    const times = op("times", { signature: "int *x, int k", body: "x[i] *= k", args: [x], parameters: ["k"] });
    const list = new ListLauncher("list").push(one, times);
    expect(list.fuseSync()).toHaveLength(1);
    const longer = list.push(one);
    longer.launch(queue, { k: 2 });
    expect(await read(x)).toEqual([3, 3]);
    expect(list.fuseSync().map(({ members }) => members.length)).toEqual([3]);
    new ListLauncher("outer").push(longer, one).launch(queue, { k: 10 });
    expect(await read(x)).toEqual([42, 42]);
    list.release();
    one.launch(queue);
    expect(await read(x)).toEqual([43, 43]);
    expect(() => list.fuseSync()).toThrow(disposed());
    await expect(list.fuse()).rejects.toThrow(disposed());
  });

  test("shares a buffer among operations that read any of its elements if none writes it", async () => {
    const [u, a, b] = [ints(1, 2, 3, 4), ints(0, 0, 0, 0), ints(0, 0, 0, 0)];
    const list = new ListLauncher("list").push(
      op("left", { signature: "const int *u, int *a", body: "a[i] = i > 0 ? u[i - 1] : 0", args: [u, a] }),
      op("own", { signature: "const int *u, int *a", body: "a[i] += 10 * u[i]", args: [u, a] }),
      op("right", {
        signature: "const int *w, int *b, const int *a",
        body: "b[i] = a[i] + (i + 1 < n ? w[i + 1] : 0)",
        args: [u, b, a],
      }),
    );
    expect(list.fuseSync().map(({ fused }) => fused)).toEqual([true]);
    list.launch(queue);
    expect(await read(a)).toEqual([10, 21, 32, 43]);
    expect(await read(b)).toEqual([12, 24, 36, 43]);
  });
});

describe("members are not fused", () => {
  const first = (x: DeviceBuffer<Int32Array>, more: Partial<ElementwiseOptions> = {}): ElementwiseLauncher =>
    op("first", { signature: "int *x", body: "x[i] += 1", args: [x], ...more });
  const x = ints(...Array(2 * alignment).keys());
  const y = ints(...new Int32Array(2 * alignment));
  const length = alignment;
  const one = "x[i] = 1";
  const other = 'accesses "x" at other elements than i';
  const next =
    (signature: string, body: string, more: Partial<ElementwiseOptions> = {}) =>
    () =>
      op("next", { signature, body, args: [x], length, ...more });

  const pairs: readonly (readonly [string, () => Launcher<never>, string])[] = [
    ["if one is not element-wise", () => plus(x, 1, "k"), "is not element-wise"],
    ["if they have different numbers of elements", next("int *x", one, { length: 3 }), "has 3 elements"],
    ["if they have different work-group sizes", next("int *x", one, { length, local: 1 }), "a work-group size of 1"],
    ["if they have different preambles", next("int *x", one, { preamble: "#define A 1" }), "a different preamble"],
    ["if they have labels", next("int *x", "goto end; end: x[i] = 1"), "contains labels"],
    ["if they read written neighbors", next("const int *x, int *y", "y[i] = x[i + 1]", { args: [x, y] }), other],
    ["if they write arbitrary elements", next("int *x", "x[(i * 7) % n] = 1"), other],
    ["if they take the address of an element", next("int *x", "*(&x[i]) = 1"), other],
    ["if they use different types", next("float *x", "x[i] = 1", { args: [x.as(Float32Array)] }), "overlap"],
    [
      "if they use overlapping slices",
      next("const int *p, int *y", "y[i] = p[i]", { args: [x.slice(alignment), y] }),
      "overlap",
    ],
    ["if they receive an array", next("int *x", one, { args: [], parameters: ["x"] }), "with each launch"],
  ];
  test.each(sample(pairs, 4))("%s", async (_, make, reason) => {
    const list = new ListLauncher("list").push(first(x, { length }), make());
    const report = await list.fuse();
    expect(report.map(({ fused }) => fused)).toEqual([false, false]);
    expect(report[0]?.apart).toBeUndefined();
    expect(report[1]?.apart).toContain(reason);
  });

  const preambles: readonly (readonly [string, string, string, string])[] = [
    ["an address", "#define NEXT(e) (*(&(e) + 1))", "x[i] = NEXT(x[i])", other],
    ["an index", "#define AT(a) a[n - 1 - i]", "x[i] += AT(x)", other],
    ["an array", "#define HERE x[0]\n#define THERE HERE", "x[i] += THERE", other],
    ["a label", "#define SKIP goto end", "SKIP; end: x[i] = 1", "contains labels"],
    ["a variable", "int add(int a) { return a + 1; } __global int sum = 3;", "x[i] = add(1)", "declares variables"],
    [
      "a variable with parentheses",
      "__global int sum __attribute__((aligned(8))) = (3);",
      "x[i] = 1",
      "declares variables",
    ],
  ];
  test.each(sample(preambles, 2))("if their preamble hides %s", (_, preamble, body, reason) => {
    const make = (name: string): ElementwiseLauncher =>
      op(name, { signature: "int *x", body, preamble, args: [y], length: 3 });
    let launcher: ElementwiseLauncher;
    try {
      launcher = make("a");
    } catch (error) {
      // Not every device supports program-scope variables.
      expect((error as Error).message).toMatch(/sum|program scope|CL_BUILD_PROGRAM_FAILURE/);
      return;
    }
    expect(new ListLauncher("list").push(launcher, make("b")).fuseSync()[1]?.apart).toContain(reason);
  });

  test("but types, constants, macros and functions in a preamble do not prevent it", () => {
    const preamble = `
      typedef struct { int a, b; } pair;
      struct other { int a; };
      // int not_here; \
      int nor_here;
      struct __attribute__((packed)) last { int a; };
      enum kinds { ONE, TWO };
      __constant int weights[2] = { 1, 2 };
      int twice(int a);
      #define WIDTH 3 /* of all */
      #if WIDTH > 2
      int twice(int a) { for (int k = 0; k < 1; k++) { a *= 2; } return a; }
      #endif`;
    const make = next("int *x", "x[i] = twice(x[i]) * WIDTH", { preamble });
    expect(new ListLauncher("list").push(make(), make()).fuseSync()).toMatchObject([{ fused: true }]);
  });

  test("if their parameters have the same name but different types", () => {
    const scaled = (name: string, type: string): ElementwiseLauncher =>
      op(name, { signature: `int *x, ${type} s`, body: "x[i] += s", args: [y], parameters: ["s"] });
    const list = new ListLauncher("list").push(scaled("a", "float"), scaled("b", "float"), scaled("c", "double"));
    const report = list.fuseSync();
    expect(report.map(({ members }) => members.length)).toEqual([2, 1]);
    expect(report[1]?.apart).toContain('"s" has type double');
  });

  test("if another member is between them", async () => {
    const u = ints(0);
    const grow = (name: string): ElementwiseLauncher => op(name, { signature: "int *x", body: "x[i] += 1", args: [u] });
    const multiply = new KernelLauncher("multiply", program.kernel("multiply"), {
      args: [u],
      parameters: ["a"],
      global: 1,
    });
    const list = new ListLauncher("list").push(grow("a"), grow("b"), multiply, grow("c"), grow("d"), grow("e"));
    expect(list.fuseSync().map(({ members, fused }) => [members.length, fused])).toEqual([
      [2, true],
      [1, false],
      [3, true],
    ]);
    list.launch(queue, { a: 10 });
    list.launch(queue, { a: 2 });
    expect(await read(u)).toEqual([(23 + 2) * 2 + 3]);
  });

  test("if one kernel would have too many arguments", { tags: "ci" }, (run) => {
    const bytes = 40 * 30 * Int32Array.BYTES_PER_ELEMENT;
    needs(run, queue.device.maxParameterSize < bytes, `the device takes ${bytes} bytes of arguments`);
    const names = Array.from({ length: 30 }, (_, k) => `s${k}`);
    const many = Array.from({ length: 40 }, (_, k) =>
      op(`m${k}`, {
        signature: `int *x, ${names.map((name) => `int ${name}`).join(", ")}`,
        body: "x[i] += s0 * 2",
        args: [y, ...names.keys()],
      }),
    );
    const list = new ListLauncher("list").push(...many);
    const report = list.fuseSync();
    expect(report.length).toBeGreaterThan(1);
    expect(report[1]?.apart).toContain("arguments");
    expect(report.reduce((sum, { members }) => sum + members.length, 0)).toBe(40);
    list.launch(queue);
  });
});

describe("a failed fusion", () => {
  test("leaves the list unchanged after an abort", async () => {
    const x = ints(1);
    const one = op("plus", { signature: "int *x", body: "x[i] += 1", args: [x] });
    const list = new ListLauncher("list").push(one, one);
    const reason = new Error("enough");
    await expect(list.fuse({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(list.fusions).toEqual([]);
    list.launch(queue);
    expect(await read(x)).toEqual([3]);
    await expect(list.fuse(7 as never)).rejects.toThrow(wrongType("options"));
  });
});
