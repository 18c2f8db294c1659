/** Parameter names that are also properties of `Object.prototype` or built-in functions of OpenCL C. */
import { type Kernel, Program } from "@cl/core";
import { ElementwiseLauncher, HostLauncher, KernelLauncher, ListLauncher } from "@cl/launcher";
import { expect, test } from "vitest";

import { context, ints, program, queue, read } from "./support/device.js";
import { wrongValue } from "@cl/testing/error-like";

const untyped: Kernel = program.kernel("add");

test.each(["toString", "constructor", "hasOwnProperty"])("a parameter can be named %s", async (name) => {
  const x = ints(0);
  const parameters: Record<string, string> = { [name]: "a" };
  const add = new KernelLauncher("add", untyped, { args: [x], parameters, global: 1 });
  const list = new ListLauncher("list").push(add, add);
  const missing = wrongValue(`"${name}"`);
  for (const launcher of [add, list]) {
    expect(() => launcher.launch(queue, {})).toThrow(missing);
    for (let i = 0; i < 3; i++) launcher.launch(queue, { [name]: 1 });
    expect(() => launcher.launch(queue, {})).toThrow(missing);
  }
  expect(await read(x)).toEqual([9]);
});

test("a host step ignores inherited properties of its values", () => {
  const step = new HostLauncher("step", () => undefined, { parameters: { valueOf: "any" } });
  expect(() => step.launch(queue, {})).toThrow(wrongValue());
});

test("arguments can be named like built-in functions", async () => {
  const source = `__kernel void scale(__global int *dot, __global const int *min, int length, int step) {
    dot[get_global_id(0)] = step * min[get_global_id(0)] + length;
  }` as const;
  const [dot, min] = [ints(0, 0, 0), ints(1, 2, 3)];
  const launcher = new KernelLauncher("scale", new Program(context, source).buildSync().kernel("scale"), {
    args: { dot, min },
    parameters: ["length", "step"],
    reads: ["min"],
    writes: ["dot"],
    global: "length",
  });
  launcher.launch(queue, { length: 2, step: 10 });
  expect(await read(dot)).toEqual([12, 22, 0]);
  const table = new ListLauncher("list").push(launcher).parameterTable();
  table.values.set([3, 1]);
  table.launch(queue);
  expect(await read(dot)).toEqual([4, 5, 6]);
});

test("statements can use the names of inherited properties", async () => {
  const x = ints(1, 2);
  const body = "int constructor = 1; int toString = 2; x[i] += constructor + toString;";
  const add = await ElementwiseLauncher.create("add", context, { signature: "int *x", body, args: [x] });
  add.launch(queue);
  expect(await read(x)).toEqual([4, 5]);
});
