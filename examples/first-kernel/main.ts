import { CommandQueue, Context, DeviceBuffer, Program } from "@cl/core";

const context = Context.create(); // CL_DEVICE, else the first GPU, else the first device
const queue = new CommandQueue(context);
const program = await new Program(
  context,
  `
  __kernel void saxpy(float a, __global const float *x, __global float *y) {
    size_t i = get_global_id(0);
    y[i] += a * x[i];
  }`,
).build();

const x = DeviceBuffer.from(context, Float32Array.of(1, 2, 3));
const y = DeviceBuffer.from(context, Float32Array.of(10, 20, 30));
program.kernel("saxpy").launch(queue, { global: 3 }, 2, x, y);
console.log(await queue.read(y, Float32Array)); // [12, 24, 36]
