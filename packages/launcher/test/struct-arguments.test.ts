import { IterativeLauncher, KernelLauncher, ListLauncher, tune } from "@cl/launcher";
import { Program } from "@cl/core";
import { describe, expect, test } from "vitest";

import { useCacheFolder } from "./support/cache-folder.js";
import { context, floats, queue, read } from "./support/device.js";

useCacheFolder();

const pairs = `typedef struct { float a, b; } pair;
  __kernel void sum(__global float *out, pair p) { out[get_global_id(0)] = p.a + p.b; }`;
const program = await new Program(context, pairs).build();

describe("a struct argument", () => {
  test("is passed as a parameter of a list", async () => {
    const out = floats(0);
    const sum = new KernelLauncher("sum", program.kernel("sum"), { args: { out }, parameters: ["p"], global: 1 });
    const list = new ListLauncher("list").push(sum);
    list.launch(queue, { p: Float32Array.of(2, 3) });
    expect(await read(out)).toEqual([5]);
    list.launch(queue, { p: Float32Array.of(4, 5) });
    expect(await read(out)).toEqual([9]);
  });

  test("is passed by an iterative launcher", async () => {
    const out = floats(0);
    const values = [Float32Array.of(1, 2), Float32Array.of(4, 5)];
    new IterativeLauncher("each", program.kernel("sum"), {
      args: { out },
      parameters: ["p"],
      iterate: { p: () => values },
      global: 1,
    }).launch(queue);
    expect(await read(out)).toEqual([9]);
  });

  test("is passed while its kernel is tuned", async () => {
    const out = floats(0, 0, 0, 0);
    const args = [out, Float32Array.of(2, 3)];
    const { candidates } = await tune(queue, { source: pairs, args, global: 4, seconds: 0.02 });
    expect(candidates.some(({ medianNs }) => medianNs !== undefined)).toBe(true);
  });
});

describe("an argument of a declared type", () => {
  const kernel = new Program(
    context,
    "typedef float real; __kernel void decay(__global real *u, real dt, int n) { u[get_global_id(0)] *= n - dt; }",
  )
    .buildSync()
    .kernel("decay");
  kernel.argTypes = ["float*", "float", "int"];

  test("can be a parameter of a launcher, a table and an iteration", async () => {
    const u = floats(8);
    const options = { args: { u, n: 1 }, parameters: ["dt"], global: 1 } as const;
    new KernelLauncher("decay", kernel, options).launch(queue, { dt: 0.5 });
    expect(await read(u)).toEqual([4]);
    const table = new ListLauncher("list").push(new KernelLauncher("decay", kernel, options)).parameterTable();
    table.values[0] = 0.5;
    table.launch(queue);
    expect(await read(u)).toEqual([2]);
    new IterativeLauncher("each", kernel, { ...options, iterate: { dt: () => [0.5, 0.5] } }).launch(queue);
    expect(await read(u)).toEqual([0.5]);
  });
});
