/** Lists whose kernels run as one: the same results, bit for bit, and reasons where members keep their own launches. */

import { DeviceBuffer, DeviceView, HostView, Image, ImageFormat, LocalMemory, Program, structType } from "@cl/core";
import {
  CopyLauncher,
  type CopyLauncherOptions,
  ElementwiseLauncher,
  FillLauncher,
  HostLauncher,
  KernelLauncher,
  type KernelLauncherOptions,
  type Launcher,
  ListLauncher,
  type Residency,
} from "@cl/launcher";
import { sample } from "@cl/testing/level";
import { describe, expect, test } from "vitest";

import { context, ints, queue } from "./support/device.js";

const heat = `
  typedef float real;
  #define AT(x, y) ((y) * N + (x))
  real laplace(__global const real *u, const int x, const int y) {
    const int left = (x + N - 1) % N, right = (x + 1) % N, above = (y + N - 1) % N, below = (y + 1) % N;
    return u[AT(left, y)] + u[AT(right, y)] + u[AT(x, above)] + u[AT(x, below)] - 4 * u[AT(x, y)];
  }
  __kernel void heat(__global const real *restrict u, __global real *restrict v, const real dt) {
    const int x = get_global_id(0), y = get_global_id(1);
    v[AT(x, y)] = u[AT(x, y)] + dt * laplace(u, x, y);
  }`;

const addSource = "__kernel void add(__global int *x, int a) { x[get_global_id(0)] += a; }";

/** Returns which members are merged, by number. */
function merged(residencies: readonly Residency[]): (readonly [count: number, resident: boolean])[] {
  return residencies.map(({ members, resident }) => [members.length, resident]);
}

function built(source: string, options = ""): Program {
  return new Program(context, source).buildSync({ options });
}

/** Launches a list with its own launches and then as one, each from the same memory, and returns both results. */
async function both(
  make: (buffers: readonly DeviceBuffer[]) => ListLauncher,
  sizes: readonly number[],
): Promise<{ readonly found: unknown; readonly expected: unknown; readonly residencies: readonly Residency[] }> {
  const results: unknown[] = [];
  let residencies: readonly Residency[] = [];
  for (const isResident of [false, true]) {
    const buffers = sizes.map((size, k) =>
      DeviceBuffer.from(
        context,
        Int32Array.from({ length: size }, (_, i) => i * (k + 1)),
      ),
    );
    const list = make(buffers);
    if (isResident) residencies = await list.resident();
    for (let step = 0; step < 3; step++) list.launch(queue);
    await queue.finish();
    const contents: number[][] = [];
    for (const buffer of buffers) contents.push(Array.from(await queue.read(buffer, Int32Array)));
    results.push(contents);
    list.release();
  }
  return { expected: results[0], found: results[1], residencies };
}

test("a resident list computes what its members compute one by one", async () => {
  const n = 48;
  const program = await new Program(context, heat).build({ options: `-DN=${n}` });
  const start = Float32Array.from({ length: n * n }, (_, i) => Math.sin(i) + (i % 13));
  const run = async (
    isResident: boolean,
  ): Promise<{ readonly result: Float32Array; readonly list: ListLauncher<{ dt: number }> }> => {
    const [u, v] = [DeviceBuffer.from(context, start), DeviceBuffer.from(context, start)];
    const list = new ListLauncher<{ dt: number }>("step");
    for (let k = 0; k < 6; k++) {
      list.push(
        new KernelLauncher(`heat ${k}`, program, {
          args: k % 2 === 0 ? [u, v] : [v, u],
          parameters: ["dt"],
          global: [n, n],
        }),
      );
    }
    expect(list.residencies).toEqual([]);
    if (isResident) await list.resident();
    for (let step = 0; step < 200; step++) list.launch(queue, { dt: 0.1 + step / 4000 });
    return { result: await queue.read(u, Float32Array), list };
  };
  const [expected, found] = [await run(false), await run(true)];
  expect(found.result).toEqual(expected.result);
  expect(merged(found.list.residencies)).toEqual([[6, true]]);
  expect(found.list.residencies[0]?.members[5]).toBe('launcher "heat 5"');
  expect(found.list.residencies[0]?.source).toContain("__kernel void resident(");
  // Numbers also come from a table.
  const table = found.list.parameterTable();
  table.values[0] = 0.2;
  table.launch(queue);
  expected.list.launch(queue, { dt: 0.2 });
  await queue.finish();
});

const asked = `
  __kernel void asked(__global int *x) {
    size_t i = get_global_linear(), n = 0;
    __global int *out = x + 40 * i;
    for (int d = 0; d < 3; d++) {
      out[n++] = get_global_id(d); out[n++] = get_local_id(d); out[n++] = get_group_id(d);
      out[n++] = get_global_size(d); out[n++] = get_local_size(d); out[n++] = get_num_groups(d);
      out[n++] = get_global_offset(d);
    }
    out[n++] = get_work_dim();
  }`;

const positions: readonly (readonly [string, KernelLauncherOptions])[] = [
  ["one axis", { global: 12, local: 4 }],
  ["two axes", { global: [6, 4], local: [2, 2] }],
  ["three axes with an offset", { global: [4, 2, 6], local: [2, 1, 3], offset: [3, 0, 5] }],
  ["groups", { global: [3, 2], local: [4, 2], globalInGroups: true }],
];
test.each(sample(positions, 2))("work-items know their positions along %s", async (_, sizes) => {
  const linear = `size_t get_global_linear(void) {
    const size_t x = get_global_id(0) - get_global_offset(0), y = get_global_id(1) - get_global_offset(1);
    return ((get_global_id(2) - get_global_offset(2)) * get_global_size(1) + y) * get_global_size(0) + x;
  }`;
  const program = built(linear + asked);
  const { found, expected, residencies } = await both(
    ([x, y]) =>
      new ListLauncher("positions").push(
        ...[x, y].map((out) => new KernelLauncher("asked", program, { args: [out], ...sizes })),
      ),
    [40 * 64, 40 * 64],
  );
  expect(merged(residencies)).toEqual([[2, true]]);
  expect(found).toEqual(expected);
});

test("work-items of a group share local memory and wait for each other", async () => {
  const program = built(`
    #define SIZE 8
    void load(__local int *to, __global const int *from) { to[get_local_id(0)] = from[get_global_id(0)]; }
    __attribute__((reqd_work_group_size(SIZE, 1, 1)))
    __kernel void reverse(__global int *x) {
      __local int tile[SIZE], twice[2][SIZE];
      load(tile, x);
      barrier(CLK_LOCAL_MEM_FENCE);
      twice[get_local_id(0) & 1][get_local_id(0)] = 2 * tile[SIZE - 1 - get_local_id(0)];
      barrier(CLK_LOCAL_MEM_FENCE);
      x[get_global_id(0)] = twice[get_local_id(0) & 1][get_local_id(0)] + get_group_id(0);
    }
    __kernel void add(__global int *x, __global const int *y) { x[get_global_id(0)] += y[get_global_id(0)]; }`);
  const { found, expected, residencies } = await both(
    ([x, y]) =>
      new ListLauncher("tiles").push(
        new KernelLauncher("reverse x", program, { kernel: "reverse", args: [x], global: 64, local: 8 }),
        new KernelLauncher("add", program, { kernel: "add", args: [y, x], global: 64 }),
        new KernelLauncher("reverse y", program, { kernel: "reverse", args: [y], global: 64, local: 8 }),
      ),
    [64, 64],
  );
  expect(residencies[0]?.apart).toBeUndefined();
  expect(merged(residencies)).toEqual([[3, true]]);
  expect(found).toEqual(expected);
});

test("programs keep their own names: functions, types, constants and macros", { tags: "ci" }, async () => {
  const first = built(
    `
    #define TWICE(a) (2 * scale(a))
    enum { BIAS = 3, OTHER };
    typedef struct { int value; int bias; } pair;
    __constant int table[2] = { 5, 7 };
    int scale(int a);
    int scale(int a) { const pair p = { .value = a, .bias = BIAS }; return p.value * FACTOR + p.bias + table[OTHER - 3]; }
    __kernel void apply(__global int *x) { x[get_global_id(0)] = TWICE(x[get_global_id(0)]); }`,
    "-DFACTOR=3",
  );
  const second = built(
    `
    typedef int pair;
    pair scale(const pair a) { return a - FACTOR; }
    #ifdef EXTRA
    #define BIAS 1
    #else
    #define BIAS 100
    #endif
    __kernel void apply(__global int *x, const pair more) { x[get_global_id(0)] = scale(x[get_global_id(0)]) + BIAS + more; }`,
    "-D FACTOR=11 -DEXTRA",
  );
  const { found, expected, residencies } = await both(
    ([x]) =>
      new ListLauncher("names").push(
        new KernelLauncher("first", first, { args: [x], global: 40 }),
        new KernelLauncher("second", second, { args: [x, 9], global: 40 }),
        new ListLauncher("inner").push(new KernelLauncher("third", first, { args: [x], global: [8, 1] })),
      ),
    [40],
  );
  expect(residencies[0]?.apart).toBeUndefined();
  expect(merged(residencies)).toEqual([[3, true]]);
  expect(found).toEqual(expected);
});

describe("a member keeps its own launch", () => {
  const plain = built(addSource);
  const add = (name: string, options?: KernelLauncherOptions): KernelLauncher =>
    new KernelLauncher(name, plain, { args: [ints(1, 2, 3, 4), 1], global: 4, ...options });
  const special = (source: string, options: KernelLauncherOptions, build = ""): (() => ListLauncher) => {
    return () => list(new KernelLauncher("it", built(source, build), { global: 4, ...options }));
  };
  const x = ints(0, 0, 0, 0);
  const copy = (options: CopyLauncherOptions): (() => ListLauncher) => {
    return () => list(new CopyLauncher("it", options));
  };

  const image = (): Image => {
    return new Image(context, { format: new ImageFormat("R", "UNSIGNED_INT8"), shape: [4, 4] });
  };
  const grid = new DeviceView(x, { shape: [4] });
  const hostGrid = new HostView(new Int32Array(4), { shape: [4] });
  const memory = (access: "read-only" | "write-only"): DeviceBuffer => new DeviceBuffer(context, { size: 16, access });
  const list = (...members: readonly Launcher[]): ListLauncher => new ListLauncher("list").push(...members);
  const largeFill = (): ListLauncher => {
    const large = structType("large", { a: "float64x16", b: "int32" });
    const pattern = { a: Array.from({ length: 16 }, () => 1), b: 2 };
    return list(new FillLauncher("it", { target: DeviceView.empty(context, [2, 2], large).slice(":", 0), pattern }));
  };
  const store = "__kernel void it(__global int *x) { x[0] = 1; }";
  const prints = '__kernel void it(__global int *x) { printf("%d", x[0]); }';
  const barriers = "__kernel void it(__global int *x) { barrier(CLK_LOCAL_MEM_FENCE); x[0] = 1; }";
  const local = "__kernel void it(__global int *x, __local int *y) { y[0] = x[0]; }";
  const constant = "__kernel void it(__global int *x, __constant int *y) { x[0] = y[0]; }";
  const parallel = (): ListLauncher => new ListLauncher("it", { order: "parallel" }).push(add("inner"), add("other"));

  const reasons: readonly (readonly [string, () => ListLauncher, string])[] = [
    ["a host function", () => list(new HostLauncher("it", () => undefined)), "it is not a kernel, copy or fill"],
    ["a copy to the host", copy({ source: x, target: new Int32Array(4) }), 'copy "it": it uses host memory'],
    ["a copy to a view of the host", copy({ source: grid, target: hostGrid }), "it uses host memory"],
    ["a copy without bytes", copy({ source: x, target: ints(1), bytes: 0 }), "it moves no bytes"],
    ["a copy between views that overlap", copy({ source: grid.slice("1:"), target: grid.slice(":3") }), "overlap"],
    ["a copy to read-only memory", copy({ source: x, target: memory("read-only") }), "read-only for kernels"],
    ["a copy from write-only memory", copy({ source: memory("write-only"), target: x }), "write-only for kernels"],
    ["a fill of large elements", largeFill, "it fills elements of more than 128 bytes"],
    ["a copy to an image", () => copy({ source: x, target: image() })(), "it uses an image"],
    ["sizes that depend on parameters", () => list(add("it", { global: () => 4 })), "its sizes depend on parameters"],
    ["output", special(prints, { args: [x] }), "it prints"],
    ["local memory as an argument", special(local, { args: [x, new LocalMemory(4)] }), "it takes local memory"],
    ["constant memory", special(constant, { args: [x, ints(1)] }), "it takes constant memory"],
    ["barriers without a local size", special(barriers, { args: [x] }), "options.local is missing"],
    ["other compiler options", special(store, { args: [x] }, "-cl-mad-enable"), "is built with other options"],
    ["a list of another order", () => list(parallel()), 'has the order "parallel"'],
  ];
  test.each(sample(reasons, 4))("with %s", async (_, make, reason) => {
    const all = new ListLauncher("all").push(add("a"), add("b"), make(), add("c"), add("d"));
    const residencies = await all.resident();
    expect(merged(residencies)).toEqual([
      [2, true],
      [1, false],
      [2, true],
    ]);
    expect(residencies[1]?.apart).toContain(reason);
    expect(residencies[2]?.apart).toMatch(/list "list" keeps its own launch|launcher "c" is built with other options/);
    all.launch(queue);
    await queue.finish();
    all.release();
  });

  test("with what cannot be rewritten: then the compiler's message is the reason", async () => {
    const odd = built(`
      #define FUNCTION(name) int name(int a) { return a + get_global_id(0); }
      FUNCTION(made) int other(int a) { return made(a); }
      __kernel void it(__global int *x) { x[get_global_id(0)] = other(x[get_global_id(0)]); }`);
    const { found, expected, residencies } = await both(
      ([buffer]) =>
        new ListLauncher("odd").push(
          ...["one", "two"].map((name) => new KernelLauncher(name, odd, { args: [buffer], global: 4 })),
        ),
      [4],
    );
    expect(merged(residencies)).toEqual([[2, false]]);
    expect(residencies[0]?.apart).toMatch(/^the merged kernel fails: building program .* failed/);
    expect(found).toEqual(expected);
  });
});

test("members that are pushed later run after the merged ones, and can be merged, too", async () => {
  const list = new ListLauncher("list");
  const program = built(addSource);
  const x = ints(1, 2, 3, 4);
  const add = (name: string, a: number): KernelLauncher =>
    new KernelLauncher(name, program, { args: [x, a], global: 4 });
  list.push(add("one", 1), add("two", 2));
  expect(merged(list.residentSync())).toEqual([[2, true]]);
  list.push(add("three", 10));
  list.launch(queue);
  expect(Array.from(await queue.read(x, Int32Array))).toEqual([14, 15, 16, 17]);
  expect(merged(list.residentSync())).toEqual([[3, true]]);
  list.launch(queue);
  expect(Array.from(await queue.read(x, Int32Array))).toEqual([27, 28, 29, 30]);
  list.release();
  expect(() => list.residentSync()).toThrow(/released/);
});

test("fused members are merged with others", async () => {
  const x = ints(1, 2, 3, 4);
  const step = (name: string, body: string): ElementwiseLauncher =>
    ElementwiseLauncher.createSync(name, context, { signature: "int *x", body, args: [x] }) as ElementwiseLauncher;
  const program = built(addSource);
  const list = new ListLauncher("list").push(
    step("double", "x[i] *= 2"),
    step("decrement", "x[i] -= 1"),
    new KernelLauncher("add", program, { args: [x, 10], global: 4 }),
  );
  expect(list.fuseSync().map(({ fused }) => fused)).toEqual([true, false]);
  const [only] = list.residentSync();
  expect(only).toMatchObject({ resident: true });
  expect(only?.members).toHaveLength(2);
  list.launch(queue);
  expect(Array.from(await queue.read(x, Int32Array))).toEqual([11, 13, 15, 17]);
  list.release();
});

test("parameters may be memory", async () => {
  const program = built(`
    __kernel void copy(__global int *y, __global const int *x, int a) { y[get_global_id(0)] = x[get_global_id(0)] + a; }
    __kernel void add(__global int *x, int a) { x[get_global_id(0)] += a; }`);
  const kernel = (name: string, parameters: readonly string[], args: readonly unknown[] = []): KernelLauncher =>
    new KernelLauncher(name, program, { kernel: name, parameters, args, global: 2 });
  const seen = ints(0, 0);
  const list = new ListLauncher<{ x: DeviceBuffer; a: number }>("list").push(
    kernel("copy", ["x", "a"], [seen]),
    kernel("add", ["x", "a"]),
  );
  expect(merged(await list.resident())).toEqual([[2, true]]);
  const [x, y] = [ints(1, 2), ints(10, 20)];
  list.launch(queue, { x, a: 5 });
  list.launch(queue, { x: y, a: 1 });
  expect(Array.from(await queue.read(x, Int32Array))).toEqual([6, 7]);
  expect(Array.from(await queue.read(y, Int32Array))).toEqual([11, 21]);
  expect(Array.from(await queue.read(seen, Int32Array))).toEqual([11, 21]);
});

test("a parameter that members take as different types has the same values, and errors, as in separate launches", async () => {
  const arrays = {
    char: Int8Array,
    uchar: Uint8Array,
    short: Int16Array,
    int: Int32Array,
    uint: Uint32Array,
    long: BigInt64Array,
    ulong: BigUint64Array,
    float: Float32Array,
    ...(queue.device.doubleFpConfig === 0 ? {} : { double: Float64Array }),
  } as unknown as Record<string, Int8ArrayConstructor>;
  const types = Object.keys(arrays);
  const source = types
    .map((type) => `__kernel void f_${type}(__global ${type} *x, ${type} n) { x[0] = n; }`)
    .join("\n");
  const program = built(source);
  // Lists refuse a parameter that is an integer here and a floating-point number there.
  const isReal = (type: string): boolean => /float|double/.test(type);
  const pairs = types.flatMap((one) =>
    types.filter((other) => isReal(one) === isReal(other)).map((other) => [one, other]),
  );
  for (const pair of pairs) {
    const results: string[] = [];
    for (const isResident of [false, true]) {
      const buffers = pair.map((type) => DeviceBuffer.from(context, new (arrays[type] as Int8ArrayConstructor)(1)));
      const kernels = pair.map(
        (type, k) =>
          new KernelLauncher(type, program, { kernel: `f_${type}`, args: [buffers[k]], parameters: ["n"], global: 1 }),
      );
      const list = new ListLauncher("list").push(...kernels);
      if (isResident) await list.resident();
      for (const n of [0.1, 100, 300, -1, 2 ** 31, 2 ** 40]) {
        try {
          list.launch(queue, { n });
        } catch (error) {
          results.push(String((error as { code?: unknown }).code));
        }
        for (const buffer of buffers) results.push([...(await queue.read(buffer, Uint8Array))].join(" "));
      }
      list.release();
    }
    expect(results.slice(results.length / 2), pair.join(" and ")).toEqual(results.slice(0, results.length / 2));
  }
});
