import { fastInaccurateBuildOptions } from "@cl/characterize";
import { DeviceBuffer, Program } from "@cl/core";
import { expect, test } from "vitest";

import { context, device, queue } from "./support/device.js";

test("the device's compiler accepts fastInaccurateBuildOptions, and kernels still compute correctly", async () => {
  const source = "__kernel void f(__global float *x) { size_t i = get_global_id(0); x[i] = x[i] * 2 + 1; }";
  const program = await new Program(context, source).build({ options: fastInaccurateBuildOptions(device) });
  const x = DeviceBuffer.from(context, Float32Array.of(1, 2, 3));
  program.kernel("f").launch(queue, { global: 3 }, x);
  expect(await queue.read(x, Float32Array)).toEqual(Float32Array.of(3, 5, 7));
});
