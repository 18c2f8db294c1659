import { expect, test } from "vitest";

import { CommandQueue, Context, DeviceBuffer, type Kernel, Program } from "../../src/index.js";
import { argumentKinds, native } from "../../src/binding/native.js";
import { forget, handleOf } from "../../src/binding/resource.js";

const context = Context.create();
const queue = new CommandQueue(context);

test("a buffer that reuses a handle's slot is not mistaken for the previous buffer", () => {
  const [kernel] = new Program(context, "__kernel void one(__global int *x) { x[0] = 1; }").buildSync().kernels();
  const first = DeviceBuffer.from(context, Int32Array.of(0));
  const handle = handleOf(first);
  kernel?.launchAndFinishSync(queue, { global: 1 }, first);
  // The OpenCL object stays alive, so that no other gets its address; its slot is free, as after a collection.
  native.retainRaw(handle);
  native.recycle(handle);
  const others: DeviceBuffer[] = [];
  let reused = DeviceBuffer.from(context, Int32Array.of(0));
  while (handleOf(reused) !== handle) {
    native.recycle(handleOf(reused));
    forget(reused);
    others.push(reused);
    // Generations wrap around at 1024, and the slot that was freed last is the next to be reused.
    if (others.length > 2048) throw new Error("the handle never came back");
    reused = DeviceBuffer.from(context, Int32Array.of(0));
  }
  kernel?.launchAndFinishSync(queue, { global: 1 }, reused);
  expect([...queue.readSync(reused)]).toEqual([1]);
  expect(others.length).toBeGreaterThan(0);
  expect(first.label).toBeUndefined();
});

test("a value argument without bytes throws before the driver is called", () => {
  const [kernel] = new Program(context, "typedef struct { int a; } one; __kernel void put(one x) { }")
    .buildSync()
    .kernels();
  const handle = handleOf(kernel as Kernel);
  native.describeKernel(handle, Int32Array.of(argumentKinds.value, 0, 128));
  expect(() => native.setKernelArgument(handle, 0)).toThrow(TypeError);
});
