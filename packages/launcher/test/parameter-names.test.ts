/** Parameter names that are also properties of `Object.prototype`. */
import type { Kernel } from "@cl/core";
import { ElementwiseLauncher, HostLauncher, KernelLauncher, ListLauncher } from "@cl/launcher";
import { errorLike } from "@cl/testing/error-like";
import { expect, test } from "vitest";

import { context, ints, program, queue, read } from "./support/device.js";

const untyped: Kernel = program.kernel("add");

test.each(["toString", "constructor", "hasOwnProperty"])("a parameter can be named %s", async (name) => {
  const x = ints(0);
  const parameters: Record<string, string> = { [name]: "a" };
  const add = new KernelLauncher("add", untyped, { args: [x], parameters, global: 1 });
  const list = new ListLauncher("list").push(add, add);
  const missing = `requires a value for the parameter "${name}"`;
  for (const launcher of [add, list]) {
    expect(() => launcher.launch(queue, {})).toThrow(missing);
    for (let i = 0; i < 3; i++) launcher.launch(queue, { [name]: 1 });
    expect(() => launcher.launch(queue, {})).toThrow(missing);
  }
  expect(await read(x)).toEqual([9]);
});

test("a host step ignores inherited properties of its values", () => {
  const step = new HostLauncher("step", () => undefined, { parameters: { valueOf: "any" } });
  expect(() => step.launch(queue, {})).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_VALUE"));
});

test("statements can use the names of inherited properties", async () => {
  const x = ints(1, 2);
  const body = "int constructor = 1; int toString = 2; x[i] += constructor + toString;";
  const add = await ElementwiseLauncher.create("add", context, { signature: "int *x", body, args: [x] });
  add.launch(queue);
  expect(await read(x)).toEqual([4, 5]);
});
