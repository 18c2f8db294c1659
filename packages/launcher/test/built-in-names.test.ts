import { ElementwiseLauncher, KernelLauncher, ListLauncher } from "@cl/launcher";
import { Program } from "@cl/core";
import { describe, expect, test } from "vitest";

import { context, ints, queue, read } from "./support/device.js";

const kernel = new Program(
  context,
  `__kernel void scale(__global int *dot, __global const int *min, int length, int step) {
     dot[get_global_id(0)] = step * min[get_global_id(0)] + length;
   }`,
)
  .buildSync()
  .kernel("scale");

describe("an argument named like a built-in function", () => {
  test("can be used in args, parameters, sizes, reads and writes", async () => {
    const [dot, min] = [ints(0, 0, 0), ints(1, 2, 3)];
    const launcher = new KernelLauncher("scale", kernel, {
      args: { dot, min },
      parameters: ["length", "step"],
      reads: ["min"],
      writes: ["dot"],
      global: "length",
    });
    launcher.launch(queue, { length: 2, step: 10 });
    expect(await read(dot)).toEqual([12, 22, 0]);
    new ListLauncher("list").push(launcher).launch(queue, { length: 3, step: 1 });
    expect(await read(dot)).toEqual([4, 5, 6]);
  });

  test("can be used in a parameter table", async () => {
    const [dot, min] = [ints(0), ints(5)];
    const launcher = new KernelLauncher("scale", kernel, {
      args: { dot, min },
      parameters: { size: "length", by: "step" },
      global: 1,
    });
    const table = new ListLauncher("list").push(launcher).parameterTable();
    expect(table.names).toEqual(["size", "by"]);
    table.values.set([100, 2]);
    table.launch(queue);
    expect(await read(dot)).toEqual([110]);
  });

  test("can be used in the signature of an element-wise launcher", async () => {
    const [length, min] = [ints(1, 2), ints(10, 20)];
    const launcher = await ElementwiseLauncher.create("add", context, {
      signature: "int *length, const int *min, int step",
      body: "length[i] += step * min[i]",
      args: { length, min },
      parameters: ["step"],
    });
    launcher.launch(queue, { step: 3 });
    expect(await read(length)).toEqual([31, 62]);
  });
});
