import { DeviceBuffer, Kernel, LaunchList, Program } from "@cl/core";
import { describe, expect, test } from "vitest";
import { context, queue } from "./support/kernels.js";

// PoCL renames kernels that have the name of a built-in function.
const source = `
__kernel void step(__global int *x) { x[0] = 1; }
__kernel void mix(__global int *x) { x[0] = 2; }
__kernel void own(__global int *x) { x[0] = 3; }`;

test("kernels named like built-in functions keep their names", async () => {
  const program = await new Program(context, source).build({ cache: false });
  expect([...program.kernelNames].sort()).toEqual(["mix", "own", "step"]);
  const buffer = new DeviceBuffer(context, 4);
  for (const [name, value] of Object.entries({ step: 1, mix: 2, own: 3 }) as ["step" | "mix" | "own", number][]) {
    const kernel = program.kernel(name);
    expect(kernel.name).toBe(name);
    expect(kernel.argNames).toEqual(["x"]);
    kernel.launch(queue, { global: 1 }, buffer);
    expect((await queue.read(buffer, Int32Array))[0]).toBe(value);
    expect(new Kernel(program as Program, name).numArgs).toBe(1);
  }
});

describe("parameters named like built-in functions", () => {
  const parameters = `__kernel void length(__global int *dot, int length, int step, __global const int *min, int max) {
    dot[get_global_id(0)] = length * step + min[0] - max;
  }`;

  test("keep their names in sizes, setArg, bound kernels, launch rows and lists", async () => {
    const kernel = (await new Program(context, parameters).build()).kernel("length");
    expect(kernel.argNames).toEqual(["dot", "length", "step", "min", "max"]);
    const dot = DeviceBuffer.from(context, Int32Array.of(0, 0, 0));
    const min = DeviceBuffer.from(context, Int32Array.of(1));
    const read = (): number[] => [...queue.readSync(dot)];
    kernel.launch(queue, { global: "length" }, dot, 2, 10, min, 1);
    expect(read()).toEqual([20, 20, 0]);
    const clone = kernel.clone().setArg("dot", dot).setArg("length", 1).setArg("step", 2);
    clone.setArg("min", min).setArg("max", 0).launchWithSetArgs(queue, { global: "length" });
    expect(read()).toEqual([3, 20, 0]);
    const bound = kernel.bind({ global: 3 }, dot, 2, 10, min, 1).setArg("length", 7);
    bound.launchRows(queue, ["step", "max"], Float64Array.of(1, 1));
    expect(read()).toEqual([7, 7, 7]);
    new LaunchList(context).push(bound, { scalars: { step: 0 } }).launch(queue, [2]);
    expect(read()).toEqual([14, 14, 14]);
    expect(() => kernel.launch(queue, { global: 1 }, dot, 1.5, 1, min, 1)).toThrow(/"length"/);
  });

  test("keep a prefix that is in the source", () => {
    const source = `struct distance { int a; };
      __kernel void _cl_own(__global int *_cl_x, int _cl_max, struct distance d) { _cl_x[0] = _cl_max + d.a; }`;
    const program = new Program(context, source).buildSync({ cache: false });
    expect(program.kernelNames).toEqual(["_cl_own"]);
    const kernel = program.kernel("_cl_own") as unknown as Kernel;
    expect(kernel.name).toBe("_cl_own");
    expect(kernel.argNames).toEqual(["_cl_x", "_cl_max", "d"]);
    expect(kernel.argTypes).toEqual(["int*", "int", "struct distance"]);
    const x = DeviceBuffer.from(context, Int32Array.of(0));
    kernel.launch(queue, { global: 1 }, x, 4, Int32Array.of(5));
    expect([...queue.readSync(x)]).toEqual([9]);
  });
});

describe("kernel names", () => {
  test("exclude kernels that are only declared, and include others once", async () => {
    const source = `__kernel void declared(__global int *x); __kernel void own(__global int *x);
      __kernel void own(__global int *x) { x[0] = 1; }`;
    const program = await new Program(context, source).build();
    expect(program.kernelNames).toEqual(["own"]);
    expect(() => (program as Program).kernel("declared")).toThrow(RangeError);
  });
});
