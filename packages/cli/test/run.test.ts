import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { arrays } from "@cl/array";
import { CommandQueue, Context, structType } from "@cl/core";

import { call, type Ended } from "./support/clkit.js";

/** One file per kernel, because building takes time. */
const sources = {
  axpy: `
    #ifndef SCALE
    #define SCALE 1
    #endif
    __kernel void axpy(float a, __global const float *x, __global float *y, uint n) {
      size_t i = get_global_id(0);
      if (i < n) y[i] += SCALE * a * x[i];
    }`,
  weigh: `
    __kernel void weigh(__global const float4 *x, __global float *s, __local float *part, float4 w, long add, char minus) {
      size_t i = get_local_id(0);
      part[i] = dot(x[get_global_id(0)], w);
      barrier(CLK_LOCAL_MEM_FENCE);
      s[get_global_id(0)] = part[get_local_size(0) - 1 - i] + add + minus;
    }`,
  places: `
    __kernel void places(__global int *p, __global ulong *big, ulong value) {
      size_t x = get_global_id(0), y = get_global_id(1);
      p[y * get_global_size(0) + x] = 10 * y + x + 100 * get_local_size(0);
      *big = value;
    }`,
  pairs: `
    typedef struct { float a; int b; } pair;
    __kernel void pairs(__global pair *p) { p[0].b = 5; }`,
  by_value: `
    typedef struct { float a; int b; } pair;
    __kernel void by_value(pair p) {}`,
  named_types: `
    typedef float real;
    typedef real scalar;
    typedef unsigned long index_t;
    typedef enum { FORWARD, BACKWARD = 5 } mode;
    typedef int4 quad;
    __kernel void named_types(scalar a, __global real *x, index_t n, mode m, quad q) { x[0] = a + n + m + q.w; }`,
  turn: `__kernel void turn(__global float2 *z) { z[0] = (float2)(-z[0].y, z[0].x); }`,
  copy: `__kernel void copy(__global const uchar *from, __global uchar *to) { to[get_global_id(0)] = from[get_global_id(0)]; }`,
  copy_floats: `
    __kernel void copy_floats(__global const float *from, __global float *to) {
      to[get_global_id(0)] = from[get_global_id(0)];
    }`,
  transpose: `
    __kernel void transpose(read_only image2d_t in, sampler_t how, write_only image2d_t out) {
      int2 at = (int2)(get_global_id(0), get_global_id(1));
      write_imagef(out, at.yx, read_imagef(in, how, at));
    }`,
  extents: `
    __kernel void extents(read_only image1d_t a, read_only image3d_t b, read_only image2d_array_t c, __global int *n) {
      n[0] = get_image_width(a);
      n[1] = get_image_depth(b);
      n[2] = get_image_height(b);
      n[3] = get_image_width(b);
      n[4] = get_image_array_size(c);
      n[5] = get_image_height(c);
      n[6] = get_image_width(c);
    }`,
  middle: `
    __kernel void middle(read_only image2d_t in, sampler_t how, __global float *out) {
      out[0] = read_imagef(in, how, (float2)(0.5f, 0.5f)).x;
      out[1] = read_imagef(in, how, (float2)(1.25f, 0.25f)).x;
    }`,
  pixels: `__kernel void pixels(read_only image1d_buffer_t i) {}`,
  grouped: `
    __kernel __attribute__((reqd_work_group_size(4, 2, 1))) void grouped(__global int *n) {
      n[get_global_id(1) * get_global_size(0) + get_global_id(0)] = 10 * get_local_size(0) + get_local_size(1);
    }`,
  nothing: `__kernel void nothing(__global float *p) {}`,
} as const;
type KernelName = keyof typeof sources;
let folder: string;
let context: Context;
let queue: CommandQueue;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "run-"));
  for (const [kernel, source] of Object.entries(sources)) writeFileSync(join(folder, `${kernel}.cl`), source);
  context = Context.create();
  queue = new CommandQueue(context);
  const xp = arrays(queue);
  await xp.save(join(folder, "eight.npy"), xp.arange(8, { dtype: "float32" }));
  await xp.save(join(folder, "doubles.npy"), xp.arange(8));
  await xp.save(join(folder, "square.npy"), xp.arange(4, { dtype: "float32" }).reshape([2, 2]));
  const pair = structType("pair", { a: "float32", b: "int32" });
  await xp.save(join(folder, "records.npy"), xp.recordsFrom([{ a: 1, b: 2 }], pair));
  await xp.save(join(folder, "turned.npy"), xp.arange(6, { dtype: "float32" }).reshape([2, 3]).T);
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Runs a kernel with arguments that are separated by spaces. */
async function run(kernel: KernelName, args: string): Promise<Ended> {
  return call(["run", join(folder, `${kernel}.cl`), kernel, ...args.split(" ")]);
}

/** Returns the elements of the results from the JSON output. */
async function results(kernel: KernelName, args: string): Promise<Record<string, unknown>> {
  const { code, out, err } = await run(kernel, `${args} --print --json`);
  expect(code, err).toBe(0);
  const { results: all } = JSON.parse(out) as { results: Record<string, { data: unknown }> };
  return Object.fromEntries(Object.entries(all).map(([name, { data }]) => [name, data]));
}

describe("a kernel", () => {
  test("receives numbers and memory, and its results are printed", async () => {
    const { code, out, err } = await run("axpy", "--global 4 --print -2.5f range:[4] out:float32[4] 4");
    expect([code, err]).toEqual([0, ""]);
    const lines = out.split("\n");
    expect(lines[0]).toMatch(/^kernel +launches +time \[µs\]$/);
    expect(lines[1]).toMatch(/^axpy +1 +\d+\.\d$/);
    expect(lines.slice(2)).toEqual(["", "y: float32[4]", "[ 0.  -2.5 -5.  -7.5]", ""]);
  });

  test("receives files, and its results are saved to files", async () => {
    const eight = join(folder, "eight.npy");
    const path = join(folder, "y.npy");
    const { code, out, err } = await run("axpy", `-g 8 2 ${eight} inout:${eight} 8 --save y=${path}`);
    expect([code, err]).toEqual([0, `Wrote y to ${path}: float32[8]\n`]);
    expect(out).not.toContain("float32");
    using y = await arrays(queue).load(path);
    expect(await y.data()).toEqual(Float32Array.of(0, 3, 6, 9, 12, 15, 18, 21));
  });

  test("receives vectors, local memory and 64-bit integers", async () => {
    const launch = "--global 4 --local 2";
    expect(await results("weigh", `${launch} range:[4] out:[4] local:float32[2] 1,0,0,-1 -7 -128`)).toEqual({
      s: [-138, -138, -138, -138],
    });
    expect(await results("weigh", `${launch} range:float4[4] out:[4] local:8 0,0,0,1 0x10 0`)).toEqual({
      s: [23, 19, 31, 27],
    });
  });

  test("runs over the given number of dimensions", async () => {
    expect(await results("places", "--global 3,2 --local 1,2 out:[2,3] out:[1] 18446744073709551615")).toEqual({
      p: [100, 101, 102, 110, 111, 112],
      big: ["18446744073709551615"],
    });
    expect(await results("places", "-g 1,1 --offset 2,0 out:[3] zeros:[1] 0")).toEqual({ p: [0, 0, 102] });
  });

  test("is built with options", { tags: "ci" }, async () => {
    const args = ["run", join(folder, "axpy.cl"), "axpy", "-g", "2", "1", "range:[2]", "out:[2]", "2", "-p"];
    expect((await call([...args, "--build", "-D SCALE=3"])).out).toContain("[0. 3.]");
    expect((await call([...args, "--build=-DSCALE=4"])).out).toContain("[0. 4.]");
  });

  test("includes headers next to its file", { tags: "ci" }, async () => {
    const subfolder = join(folder, "subfolder");
    mkdirSync(subfolder);
    writeFileSync(join(subfolder, "seven.h"), "#define SEVEN 7\n");
    const path = join(subfolder, "seven.cl");
    writeFileSync(path, '#include "seven.h"\n__kernel void seven(__global int *x) { x[0] = SEVEN; }\n');
    const { code, out, err } = await call(["run", path, "seven", "-g", "1", "-p", "out:[1]"]);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toContain("x: int32[1]\n[7]\n");
  });

  test("receives complex numbers, and structs as bytes", { tags: "ci" }, async () => {
    const [zero, one] = [0, 1].map((re) => ({ re, im: 0 }));
    expect(await results("turn", "-g 1 inout:range:complex64[2]")).toEqual({ z: [zero, one] });
    expect(await results("pairs", "-g 1 out:int32[2]")).toEqual({ p: [0, 5] });
  });

  test("receives arguments with typedef types", { tags: "ci" }, async () => {
    expect(await results("named_types", "-g 1 0.5 out:[2] 3 5 1,2,3,4")).toEqual({ x: [12.5, 0] });
  });

  test("receives images and samplers", async () => {
    const args = "-g 3,2 range:float32[2,3] sampler:unnormalized,nearest out:float32[3,2]";
    expect(await results("transpose", args)).toEqual({ out: [0, 3, 1, 4, 2, 5] });
  });

  test("receives images of all dimensions, and samplers that interpolate", { tags: "ci" }, async () => {
    const sizes = "zeros:uint8[7] zeros:float32[2,3,4] zeros:uint8[5,6,7,4] out:[7]";
    expect(await results("extents", `-g 1 ${sizes}`)).toEqual({ n: [7, 2, 3, 4, 5, 6, 7] });
    const square = join(folder, "square.npy");
    expect(await results("middle", `-g 1 ${square} sampler:linear,clamp-to-edge out:[2]`)).toEqual({ out: [1.5, 1] });
    expect(await results("middle", `-g 1 ${square} sampler:repeat out:[2]`)).toEqual({ out: [3, 0] });
  });

  test("reads normalized images as fractions, and their results are integers", { tags: "ci" }, async () => {
    const images = "norm:range:uint8[2,3,4] sampler:unnormalized inout:norm:zeros:uint8[3,2,4]";
    const { out } = await results("transpose", `-g 3,2 ${images}`);
    expect((out as number[]).slice(0, 12)).toEqual([0, 1, 2, 3, 12, 13, 14, 15, 4, 5, 6, 7]);
    expect((await run("middle", "-g 1 norm:inout:zeros:uint8[1,1] sampler out:[2]")).code).toBe(2);
  });

  test("saves images as arrays", { tags: "ci" }, async () => {
    const path = join(folder, "transposed.npy");
    const args = `range:float32[2,3] sampler:unnormalized out:float32[3,2] --save out=${path}`;
    expect(await run("transpose", `-g 3,2 ${args}`)).toMatchObject({ code: 0 });
    using out = await arrays(queue).load(path);
    expect([out.shape, await out.data()]).toEqual([[3, 2], Float32Array.of(0, 3, 1, 4, 2, 5)]);
  });

  test("runs with its required work-group size", { tags: "ci" }, async () => {
    expect(await results("grouped", "-g 4,2 out:[8]")).toEqual({ n: Array(8).fill(42) });
    expect(await results("grouped", "-g 4,2 -l 4,2 out:[8]")).toEqual({ n: Array(8).fill(42) });
  });

  test("receives files in C and Fortran order by index", { tags: "ci" }, async () => {
    const args = `-g 6 ${join(folder, "turned.npy")} out:[6]`;
    expect(await results("copy_floats", args)).toEqual({ to: [0, 3, 1, 4, 2, 5] });
  });

  test("receives the same random numbers for the same seed", { tags: "ci" }, async () => {
    const [first, again, other] = await Promise.all(
      [0, 0, 1].map(async (seed) => results("nothing", `-g 1 inout:rand:[1000] --seed ${seed}`)),
    );
    expect(again).toEqual(first);
    expect(other).not.toEqual(first);
    const numbers = first?.["p"] as number[];
    expect(numbers.every((number) => number >= 0 && number < 1)).toBe(true);
    const integers = (await results("copy", "-g 1000 inout:rand:[1000] out:[1000]"))["from"] as number[];
    expect(integers.every((number) => Number.isInteger(number) && number >= 0 && number < 100)).toBe(true);
    expect(new Set(integers).size).toBeGreaterThan(50);
  });

  test("is launched repeatedly with --repeat, and the times are summarized", async () => {
    const args = "--global 2 1 zeros:[2] inout:range:[2] 2 --repeat 600";
    const { out } = await run("axpy", `${args} --json`);
    const { nanoseconds } = JSON.parse(out) as { nanoseconds: Record<string, number> };
    const { launches, min = 0, median = 0, mean = 0, max = 0, first = 0 } = nanoseconds;
    expect(launches).toBe(600);
    expect([min <= median, median <= max, min <= mean, mean <= max, min <= first]).toEqual(Array(5).fill(true));
    expect((await run("axpy", args)).out).toMatch(/^kernel +launches +first \[µs\] +min \[µs\] +median/);
    expect(await results("axpy", "-g 1 1 range:[2] out:[2] 2 --offset 1 -r 600")).toEqual({ y: [0, 600] });
  });
});

describe("errors", () => {
  test.each([
    ["run", "A file and a kernel are required"],
    ["run a.cl f", "--global is required"],
    ["run a.cl f -g 0", '--global must be one to three numbers of at least 1, such as 640,480, received "0"'],
    ["run a.cl f -g 1,1,1,1", "--global must be one to three"],
    ["run a.cl f -g 1 -l 1,1", "--global has 1 dimension, but --local has 2"],
    ["run a.cl f -g 1 --repeat -3", '--repeat must be an integer from 1 to 1000000, received "-3"'],
    ["run a.cl f -g 1 --save y", "--save must be a parameter and a file"],
    ["run a.cl f -g 1 -s y=a.npy -s y=b.npy", '--save: "y" is given twice'],
    ["run a.cl f -g 1 -s x=a.npy -s y=a.npy", "--save: two results cannot be written to a.npy"],
  ])("%j exits with code 2", async (args, sentence) => {
    const { code, out, err } = await call(args.split(" "));
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(sentence);
  });

  const usage: readonly (readonly [kernel: KernelName, args: string, sentence: string])[] = [
    ["axpy", "1 [8] out:[8] 8", '"[8]" is not a valid argument; use a number'],
    ["axpy", "a=1 zeros:[8] out:[8] 8", '"a=1" is not a valid argument; use a number'],
    ["axpy", "1 zeros:[8]", "axpy takes 4 arguments (argument 0"],
    ["axpy", "1 range:8 out:[8] 8", '"range:8" must have a type with a shape'],
    ["axpy", "1 range:[0] out:[8] 8", '"range:[0]" must have a type with a shape'],
    ["axpy", "1 range:floot[8] out:[8] 8", '"floot" is not an element type'],
    ["axpy", "1 range:int32[8] out:[8] 8", "must have elements of float32, but range:int32[8] has int32"],
    ["axpy", "1 zeros:[8] inout:[8] 8", "does not specify its contents"],
    ["axpy", "1 2 out:[8] 8", "must be memory, such as FILE.npy, out:float32[1024] or rand:[1024], received a number"],
    ["axpy", "1,2 zeros:[8] out:[8] 8", "must have 1 number, received 2"],
    ["axpy", "null zeros:[8] out:[8] 8", "must be a number such as 3,"],
    ["axpy", "1 zeros:[8] out:[8] -8", "must be an integer in [0, 4294967295], received -8"],
    ["axpy", "1 zeros:[8] out:[8] 1.5", "must be an integer in [0, 4294967295], received 1.5"],
    ["weigh", "zeros:float32[6] out:[8] local:4 1,1,1,1 0 0", "must have 4 float32 per element"],
    ["weigh", "zeros:[8] out:[8] local:0 1,1,1,1 0 0", "must have a number of bytes of at least 1"],
    ["weigh", "zeros:[8] out:[8] 4 1,1,1,1 0 0", "must be local memory, such as local:1024"],
    ["weigh", "zeros:[8] out:[8] local:4 1,1,1,1 1e30 0", "must be an integer in [-9223372036854775808"],
    ["weigh", "zeros:[8] out:[8] local:4 1,1,1,1 0 128", "must be an integer in [-128, 127], received 128"],
    ["axpy", "1e39 zeros:[8] out:[8] 8", "must be in [-3.4028234663852886e+38,"],
    ["axpy", `1${"0".repeat(39)} zeros:[8] out:[8] 8`, "must be in ["],
    ["axpy", "1e400 zeros:[8] out:[8] 8", "1e400 exceeds the range of floating-point numbers"],
    ["pairs", "out:[1]", "give the element type, such as uint8[1]"],
    ["copy", "norm:zeros:[8] out:[8]", "norm: requires an image"],
    ["middle", "1 sampler out:[2]", "must be an image"],
    ["middle", "zeros:[2,2] sampler out:[2]", "give the element type"],
    ["middle", "zeros:uint8[2] sampler out:[2]", "received [2]"],
    ["middle", "zeros:uint8[2,2,5] sampler out:[2]", "received [2,2,5]"],
    ["middle", "zeros:float64[2,2] sampler out:[2]", "received float64"],
    ["middle", "norm:zeros:int32[2,2] sampler out:[2]", "received int32"],
    ["middle", "zeros:uint8[2,2] null out:[2]", "must be a sampler"],
    ["middle", "zeros:uint8[2,2] sampler:cubic out:[2]", 'received "cubic"'],
    ["middle", "zeros:uint8[2,2] sampler:linear,nearest out:[2]", '"nearest" conflicts'],
    ["middle", "zeros:uint8[2,2] sampler:repeat,unnormalized out:[2]", "require normalized coordinates"],
    ["named_types", "0.5 out:int32[2] 3 5 1,2,3,4", "must have elements of float32, but int32[2] has int32"],
    ["named_types", "0.5 out:[2] -3 5 1,2,3,4", "must be an integer in [0, 18446744073709551615]"],
    ["named_types", "0.5 out:[2] 3 5.5 1,2,3,4", "must be an integer in [0, 4294967295]"],
    ["grouped", "out:[8]", "--global has 1 dimension, but grouped requires work-groups of 4,2,1"],
  ];
  /** Checks that arguments are rejected before a launch. */
  async function rejects(kernel: KernelName, args: string, sentence: string): Promise<void> {
    const { code, out, err } = await run(kernel, `--global 8 ${args}`);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(sentence);
    expect(err.endsWith('.\nRun "clkit run --help" for usage.\n'), err).toBe(true);
  }
  const isCompiled = ([kernel]: (typeof usage)[number]): boolean => kernel === "axpy" || kernel === "weigh";
  test.each(usage.filter(isCompiled))("%s %j exits with code 2 before a launch", rejects);
  test.each(usage.filter((one) => !isCompiled(one)))("%s %j exits with code 2, too", { tags: "ci" }, rejects);

  test.each([
    ["axpy", "1 doubles.npy out:[8] 8", "has float64"],
    ["axpy", "1 no.npy out:[8] 8", "does not exist"],
    ["pairs", "inout:records.npy", "records.npy has records, which are not supported"],
    ["by_value", "1", "is a struct, which is not supported"],
    ["pixels", "1", "has a type that is not supported"],
    ["axpy", "1 zeros:[8] out:[8] 8 --local 3", "--local (3 in x) does not divide --global (8)"],
  ] as const)("%s %j exits with code 1 before a launch", { tags: "ci" }, async (kernel, args, sentence) => {
    const files = args.replace(/\w+\.npy/u, (file) => join(folder, file));
    const { code, out, err } = await run(kernel, `--global 8 ${files}`);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain(sentence);
  });

  test("wrong arguments are reported before a build error", async () => {
    const { code, err } = await call(["run", join(folder, "no.cl"), "f", "-g", "1", "oops"]);
    expect(code).toBe(2);
    expect(err).toContain('"oops" is not a valid argument');
  });

  test("a build error is reported with its line", async () => {
    const bad = join(folder, "bad.cl");
    writeFileSync(bad, "__kernel void f(float a) {\n  missing;\n}\n");
    const { code, err } = await call(["run", bad, "f", "-g", "1", "1"]);
    expect(code).toBe(1);
    expect(err).toMatch(/program "bad\.cl" failed[\s\S]*2 \|\s+missing;/);
    const missing = await call(["run", join(folder, "no.cl"), "f", "-g", "1"]);
    expect(missing.err).toMatch(/the file .*no\.cl does not exist/);
  });

  test("an unknown kernel is reported with the most similar name", async () => {
    const { code, err } = await call(["run", join(folder, "axpy.cl"), "axpi", "-g", "1"]);
    expect(code).toBe(1);
    expect(err).toContain('Did you mean "axpy"?');
  });

  test("a wrong --save or a missing output folder is reported before the launch", async () => {
    const [path, deep] = [join(folder, "never.npy"), join(folder, "nowhere", "y.npy")];
    const wrong = await run("axpy", `-g 8 1 zeros:[8] out:[8] 8 --save x=${path}`);
    expect(wrong.code).toBe(2);
    expect(wrong.err).toContain('--save: "x" is not a result of axpy; the results are y.');
    expect(existsSync(path)).toBe(false);
    const { code, out, err } = await run("axpy", `-g 8 1 zeros:[8] out:[8] 8 -s y=${deep}`);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain(`--save y cannot be written to ${deep}`);
  });
});
