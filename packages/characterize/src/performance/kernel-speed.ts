/** Single measurements of kernels: an empty kernel and a kernel of additions. */
import { checkInstance, typeError } from "@cl/base";
import { CommandQueue, DeviceBuffer, type Kernel, Program } from "@cl/core";

import { emptySource } from "../measure/kernels/empty.js";
import { type AddType, addExtensions, addSource, addsPerItem } from "./add-kernel.js";
import { secondsOf, type Timing, type TimingOptions, timingOf } from "./timing.js";

/** Measures the seconds per empty kernel in a sequence of launches. */
export async function emptyKernelTime(queue: CommandQueue, options?: TimingOptions): Promise<number> {
  checkInstance(queue, CommandQueue, "queue");
  const timing = timingOf(options);
  return withKernel(queue, emptySource, "nothing", (kernel) =>
    secondsOf(queue, timing, () => kernel.launch(queue, { global: 1 })),
  );
}

/**
 * Measures dependent additions per second. The number of work-items is increased while that helps; the best rate is
 * returned.
 *
 * @example
 * ```ts
 * console.log(await addRate(queue, "int", { duration: 0.01 })); // such as 5.1e9
 * ```
 */
export async function addRate(queue: CommandQueue, type: AddType = "float", options?: TimingOptions): Promise<number> {
  checkInstance(queue, CommandQueue, "queue");
  if (!Object.hasOwn(addExtensions, type)) {
    throw typeError("type", `one of ${Object.keys(addExtensions).join(", ")}`, type);
  }
  const timing = timingOf(options);
  const extension = addExtensions[type];
  if (extension !== undefined && !queue.device.hasExtension(extension)) {
    throw typeError("type", `a type that '${queue.device.name}' supports (it lacks ${extension})`, type);
  }
  return withKernel(queue, addSource(type), "add", async (kernel) => {
    const output = new DeviceBuffer(queue.context, { size: 4 });
    try {
      return await bestRate(queue, timing, (global) => kernel.launch(queue, { global }, output, 1, 123456789));
    } finally {
      output.release();
    }
  });
}

/** Returns the highest rate for any number of work-items. */
async function bestRate(queue: CommandQueue, timing: Timing, launch: (global: number) => void): Promise<number> {
  let best = 0;
  let dips = 0;
  for (let global = 4 * queue.device.maxComputeUnits; global <= MAX_ITEMS && dips < MAX_DIPS; global *= 2) {
    const time = await secondsOf(queue, timing, () => launch(global));
    const rate = (addsPerItem * global) / time;
    // A single size may be slow because it divides badly, but not three in a row.
    if (rate < best * 1.05) dips++;
    else dips = 0;
    best = Math.max(best, rate);
  }
  return best;
}

const MAX_ITEMS = 2 ** 24;
const MAX_DIPS = 3;

async function withKernel<T>(
  queue: CommandQueue,
  source: string,
  name: string,
  use: (kernel: Kernel) => Promise<T>,
): Promise<T> {
  const program = new Program(queue.context, source);
  try {
    await program.build({ devices: [queue.device] });
    const kernel: Kernel = program.kernel(name);
    try {
      return await use(kernel);
    } finally {
      kernel.release();
    }
  } finally {
    program.release();
  }
}
