// Warm starts; the counterpart of native/core/start.cc. @cl/core is imported dynamically, because the time to the first
// kernel includes the import.
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { now } from "../serve.mjs";

const size = { global: 64, local: 64 };

/** @param {string} file */
function source(file) {
  return readFileSync(join(process.env.CL_BENCH_KERNELS, file), "utf8");
}

/** Returns the nanoseconds from the import to the first kernel's result on the host. */
export async function firstKernel() {
  const start = now();
  const { CommandQueue, Context, DeviceBuffer, Program } = await import("@cl/core");
  const context = Context.create();
  const queue = new CommandQueue(context);
  const program = await new Program(context, source("launch.cl")).build();
  const a = DeviceBuffer.from(context, new Float32Array(64).fill(2));
  const b = DeviceBuffer.from(context, new Float32Array(64));
  program.kernel("scale").launch(queue, size, a, b, 1.5, 64);
  const result = await queue.read(b, Float32Array);
  const elapsed = now() - start;
  if (result[63] !== 3) throw new Error("the first kernel's result is wrong");
  return elapsed;
}

/** Returns the nanoseconds that building twenty kernels takes. */
export async function buildTwenty() {
  const { CommandQueue, Context, DeviceBuffer, Program } = await import("@cl/core");
  const context = Context.create();
  const text = source("twenty.cl");
  const start = now();
  const program = await new Program(context, text).build();
  const elapsed = now() - start;
  // PoCL adds work-group functions to its binary only when kernels run, so run them for the next process.
  const queue = new CommandQueue(context);
  const a = DeviceBuffer.from(context, new Float32Array(64));
  const b = DeviceBuffer.from(context, new Float32Array(64));
  for (let i = 0; i < 20; i++) program.kernel(`k${`${i}`.padStart(2, "0")}`).launch(queue, size, a, b, 1.5, 64);
  await queue.finish();
  return elapsed;
}
