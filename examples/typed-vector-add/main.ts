// TypeScript infers the kernel's name and arguments from its source and checks them in the editor.
import { CommandQueue, Context, DeviceBuffer, Program } from "@cl/core";

const context = Context.create();
const queue = new CommandQueue(context);
const program = await new Program(
  context,
  `
  __kernel void add(__global const float *a, __global const float *b, __global float *sum, uint n) {
    size_t i = get_global_id(0);
    if (i < n) sum[i] = a[i] + b[i];
  }`,
).build();

const n = 1_000_000;
const a = Float32Array.from({ length: n }, (_, i) => i);
const b = Float32Array.from({ length: n }, (_, i) => 2 * i);
const sum = DeviceBuffer.empty(context, Float32Array, n);

// Hover over `add`: Kernel<[BufferArgument<Float32Array> | null, …, number]>. Try "ad", a fifth argument, an Int32Array.
const add = program.kernel("add");
add.launch(queue, { global: "n" }, DeviceBuffer.from(context, a), DeviceBuffer.from(context, b), sum, n);

const result = await queue.read(sum);
const wrong = result.findIndex((value, i) => value !== Math.fround(3 * i));
console.log(wrong < 0 ? `${n} sums are correct` : `sum ${wrong} is ${result[wrong]}`);
