import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createHash } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import {
  CommandQueue,
  DeviceBuffer,
  type CompileOptions,
  dtype,
  type Kernel,
  type LaunchSizes,
  kernelArgument,
  LocalMemory,
  MemFlags,
  Program,
  structType,
  SvmAllocation,
  TypedValue,
  UserEvent,
} from "@cl/core";

import { needs } from "@cl/base/testing";
import { errorLike, outOfRange, wrongType } from "@cl/testing/error-like";
import { runScript, scriptFolder } from "./support/script-folder.js";
import { context, counting, ints, queue } from "./support/kernels.js";

const folder = scriptFolder();
const alignment = Math.max(...context.devices.map((device) => device.memBaseAddrAlign / 8));
afterAll(() => folder.remove());

let count = 0;
const newScript = (): string => path.join(folder.path, `capture-${count++}.mjs`);
const sha256 = (array: ArrayBufferView): string =>
  createHash("sha256")
    .update(new Uint8Array(array.buffer, array.byteOffset, array.byteLength))
    .digest("hex");

/** Builds a source and returns its first kernel, without static parameter types. */
const build = async (source: string, options: CompileOptions = {}): Promise<Kernel> =>
  (await new Program(context, source).build(options)).kernels()[0] as Kernel;

/** Captures a launch, runs the script and returns the hash of each buffer by name. */
async function captured(kernel: Kernel, sizes: LaunchSizes, args: readonly unknown[]): Promise<Record<string, string>> {
  const script = newScript();
  await kernel.capture(script, queue, sizes, ...args);
  return outputs(script);
}

/** Runs a captured script and returns the hash of each buffer by name. */
async function outputs(script: string): Promise<Record<string, string>> {
  const result = await runScript(script);
  expect(result).toMatchObject({ code: 0, signal: null });
  const lines = result.stdout.trim().split("\n");
  return Object.fromEntries(lines.map((line) => [line.split(" ")[0] ?? "", /sha256 (\w+)/.exec(line)?.[1] ?? ""]));
}

test("a captured launch runs standalone and produces the same bits", async () => {
  const program = await new Program(
    context,
    `// \`quotes\`, \${holes} and \\ backslashes\r\n__kernel void blend(__global const float *x, __global float *y, float a, double b, long c, ulong d, uchar e,
        float4 v, __local float *scratch, int n) {
      size_t i = get_global_id(0);
      scratch[get_local_id(0)] = x[i];
      barrier(CLK_LOCAL_MEM_FENCE);
      float4 w = v + SCALE;
      y[i] = scratch[get_local_size(0) - 1 - get_local_id(0)] * (float)b + a + (float)(c % 1000) + (float)(d % 7) + e + w.x + w.y + w.z + w.w + n;
    }`,
  ).build({ options: ["-DSCALE=(1.5f + 2)"] });
  const n = 1024;
  const x = DeviceBuffer.from(
    context,
    Float32Array.from({ length: n }, (_, i) => Math.sin(i)),
  );
  const y = DeviceBuffer.empty(context, Float32Array, n);
  await queue.write(y, new Float32Array(n));
  const sizes = { global: "n", local: 16 };
  const args = [
    x,
    y,
    0.1,
    Math.PI,
    -(2n ** 62n) + 3n,
    2n ** 64n - 2n,
    255,
    [1, -0, 0.3, 4],
    { [kernelArgument]: () => ({ local: new LocalMemory(64) }) } as unknown as LocalMemory,
    n,
  ] as const;
  const kernel = program.kernel("blend");

  const script = newScript();
  await kernel.capture(script, queue, sizes, ...args);
  expect(await queue.read(y)).toEqual(new Float32Array(n));
  kernel.launch(queue, sizes, ...args);
  const result = await queue.read(y);
  expect(result.some((value) => value !== 0)).toBe(true);

  expect(await outputs(script)).toEqual({ x: sha256(await queue.read(x)), y: sha256(result) });
  const text = readFileSync(script, "utf8");
  expect(text).toContain("sizes = { global: [1024], local: [16] }");
  expect(text).toContain(", -0, 0.3, 4]");
});

test("NaN, infinities, negative zero and 64-bit integers are captured exactly", { tags: "ci" }, async () => {
  const kernel = await build(
    `__kernel void keep(__global float *f, __global ulong *u, float a, float b, float c, float d, ulong e, long g, float2 v) {
      f[0] = a; f[1] = b; f[2] = c; f[3] = d; f[4] = v.x; f[5] = v.y; u[0] = e; u[1] = as_ulong(g);
    }`,
  );
  const f = DeviceBuffer.from(context, new Float32Array(6));
  const u = DeviceBuffer.from(context, new BigUint64Array(2));
  const args = [f, u, NaN, -0, Infinity, -Infinity, 2n ** 64n - 1n, -(2n ** 63n), Float32Array.of(NaN, -0)];
  const hashes = await captured(kernel, { global: 1 }, args);
  kernel.launch(queue, { global: 1 }, ...args);
  expect(hashes).toEqual({ f: sha256(await queue.read(f)), u: sha256(await queue.read(u)) });
  expect((await queue.read(f)).slice(0, 4)).toEqual(Float32Array.of(NaN, -0, Infinity, -Infinity));
});

test("sub-buffers, buffers without host access and null pointers are captured", { tags: "ci" }, async () => {
  const kernel = await build(
    `__kernel void shift(__global int *low, __global int *high, __global int *secret, __global int *none) {
      size_t i = get_global_id(0);
      low[i] = high[i] + secret[i] + (none == 0);
    }`,
  );
  const elements = alignment / 4;
  const whole = DeviceBuffer.from(context, counting(2 * elements));
  const squares = counting(elements).map((i) => i * i);
  const secret = DeviceBuffer.from(context, squares, { flags: MemFlags.HOST_NO_ACCESS });
  const args = [whole.slice(0, elements), whole.slice(elements), secret, null];
  const hashes = await captured(kernel, { global: elements }, args);
  kernel.launch(queue, { global: elements }, ...args);
  expect(hashes).toMatchObject({ low: sha256(await queue.read(whole)) });
});

test("buffers are read after the launch's wait list has completed", { tags: "ci" }, async () => {
  const kernel = await build("__kernel void none(__global int *x) { x[0] += 1; }");
  const x = ints(0);
  const outOfOrder = new CommandQueue(context, { outOfOrder: true });
  const gate = new UserEvent(context);
  const filled = outOfOrder.enqueueFill(x, Int32Array.of(41), { waitFor: gate });
  const script = newScript();
  const done = kernel.capture(script, outOfOrder, { global: 1, waitFor: filled }, x);
  gate.complete();
  await done;
  expect(await outputs(script)).toEqual({ x: sha256(Int32Array.of(42)) });
});

test("a failed capture writes no file and leaves an existing one unchanged", async () => {
  const kernel = await build("__kernel void none(__global int *x, int n) { x[0] = n; }");
  const x = ints(0);
  const own = path.join(folder.path, "own");
  mkdirSync(own);
  const file = path.join(own, "launch.mjs");
  const calls: readonly (readonly [Parameters<Kernel["capture"]>, Error])[] = [
    [[file, queue, { global: 1 }, x], wrongType("args")],
    [[file, queue, { global: 1 }, x, "3"], wrongType()],
    [[file, queue, { global: -1 }, x, 3], outOfRange("sizes.global")],
    [[path.join(own, "no/such/folder.mjs"), queue, { global: 1 }, x, 3], errorLike(Error, "ENOENT")],
  ];
  for (const [args, error] of calls) await expect(kernel.capture(...args)).rejects.toThrow(error);
  expect(readdirSync(own)).toEqual([]);
  writeFileSync(file, "before");
  await kernel.capture(file, queue, { global: 1 }, x, 3);
  expect(readFileSync(file, "utf8")).toContain("captured by @cl/core");
  expect(readdirSync(own)).toEqual(["launch.mjs"]);
});

test("a program from binaries is captured with its binary", { tags: "ci" }, async () => {
  const { binaries } = await new Program(context, "__kernel void seven(__global int *x) { x[0] = 7; }").build();
  const kernel = (await Program.fromBinaries(context, binaries).build()).kernel("seven");
  const hashes = await captured(kernel, { global: 1 }, [ints(0)]);
  expect(Object.values(hashes)).toEqual([sha256(Int32Array.of(7))]);
});

test("a launch with declared types is captured with its argument bytes", { tags: "ci" }, async () => {
  const pair = structType("pair", { re: "float", n: "int32" });
  const kernel = await build(
    `${pair.cDeclaration}
    __kernel void f(pair p, uchar yes, int plain, __global float *out) {
      out[0] = p.re + p.n;
      out[1] = yes;
      out[2] = plain;
    }`,
  );
  kernel.argTypes = [pair, dtype("bool"), null, null];
  const args = [{ re: 0.5, n: 2 }, true, new TypedValue("int", 3), DeviceBuffer.from(context, new Float32Array(3))];
  expect(await captured(kernel, { global: 1 }, args)).toEqual({ out: sha256(Float32Array.of(2.5, 1, 3)) });
});

test("SVM is captured as buffers, and parts of it as sub-buffers", { tags: "ci" }, async (run) => {
  needs(run, (queue.device.svmCapabilities & 1) !== 0, "the device has no SVM");
  const kernel = await build(
    "__kernel void add(__global const int *x, __global int *y) { y[get_global_id(0)] += x[get_global_id(0)]; }",
  );
  using memory = new SvmAllocation(context, alignment + 16);
  queue.writeSync(memory, counting(memory.size / 4));
  const args = [memory.part(4, 16), memory.part(alignment)];
  const hashes = await captured(kernel, { global: 4 }, args);
  kernel.launchAndFinishSync(queue, { global: 4 }, ...args);
  expect(hashes["y"]).toBe(sha256(queue.readSync(memory)));
});
