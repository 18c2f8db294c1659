import { CommandQueue, Context, DeviceBuffer, Kernel, Program } from "@cl/core";
import { expect, test } from "vitest";

// PoCL renames kernels that are called like a built-in function.
const source = `
__kernel void step(__global int *x) { x[0] = 1; }
__kernel void mix(__global int *x) { x[0] = 2; }
__kernel void own(__global int *x) { x[0] = 3; }`;

const context = Context.create();
const queue = new CommandQueue(context);

test("kernels called like built-in functions keep their names", async () => {
  const program = await new Program(context, source).build({ cache: false });
  expect([...program.kernelNames].sort()).toEqual(["mix", "own", "step"]);
  const buffer = new DeviceBuffer(context, 4);
  for (const [name, value] of [
    ["step", 1],
    ["mix", 2],
    ["own", 3],
  ] as const) {
    const kernel = program.kernel(name);
    expect(kernel.name).toBe(name);
    expect(kernel.argNames).toEqual(["x"]);
    kernel.launch(queue, { global: 1 }, buffer);
    expect((await queue.read(buffer, Int32Array))[0]).toBe(value);
    expect(new Kernel(program as Program, name).numArgs).toBe(1);
  }
});
