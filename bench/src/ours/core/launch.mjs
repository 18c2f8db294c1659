// Launches in batches that end with a finish, as in a simulation step.
import { CommandQueue, DeviceBuffer, LaunchList, Program } from "@cl/core";

import { now } from "../serve.mjs";
import { batch, size, source } from "./rig.mjs";

/** @param {import("./rig.mjs").Rig} rig */
export async function launchJobs({ context, queue, program, a, b }) {
  const kernel = program.kernel("scale");
  const bound = kernel.bind(size, a, b, 1.5, 64);
  const twenty = await new Program(context, source("twenty.cl")).build();
  const list = new LaunchList(context);
  for (let i = 0; i < 20; i++) list.push(twenty.kernel(`k${`${i}`.padStart(2, "0")}`).bind(size, a, b, 1.5, 64));

  const launch = (/** @type {number} */ count) => {
    const start = now();
    for (let done = 0; done < count; done += batch) {
      const depth = Math.min(batch, count - done);
      // One argument changes each time, because unchanged arguments are not set again.
      for (let i = 0; i < depth; i++) kernel.launch(queue, size, a, b, i & 1, 64);
      queue.finishSync();
    }
    return (now() - start) / count;
  };

  let isMixed = false;
  /** What V8 has compiled for one kind of arguments is then compiled for many. */
  const mix = () => {
    if (isMixed) return;
    isMixed = true;
    const untyped = new DeviceBuffer(context, 256);
    const queues = [new CommandQueue(context, { profiling: true }), new CommandQueue(context, { outOfOrder: true })];
    const sizes = [{ global: 64 }, { global: [64], local: [64] }, { global: [8, 8], local: [8, 8], offset: [0, 0] }];
    const host = new Float32Array(64);
    for (let i = 0; i < 20_000; i++) {
      for (const other of sizes) kernel.launch(queue, other, a, b, 1, 64);
      for (const other of queues) kernel.launch(other, size, a, untyped, 1, 64);
      bound.launch(queue);
      kernel.enqueue(queue, size, a, b, 1, 64).release();
      if (i % 100 !== 0) continue;
      queue.writeSync(a, host);
      for (const used of [queue, ...queues]) used.finishSync();
    }
  };

  return {
    "launch-4args": launch,

    "launch-4args-mixed"(count) {
      mix();
      return launch(count);
    },

    "launch-bound"(count) {
      const start = now();
      for (let done = 0; done < count; done += batch) {
        const depth = Math.min(batch, count - done);
        for (let i = 0; i < depth; i++) bound.launch(queue);
        queue.finishSync();
      }
      return (now() - start) / count;
    },

    "list-20"(count) {
      const start = now();
      for (let done = 0; done < count; done += batch) {
        const lists = Math.min(batch, count - done) / 20;
        for (let i = 0; i < lists; i++) list.launch(queue);
        queue.finishSync();
      }
      return (now() - start) / count;
    },

    "launch-finish"(count) {
      const start = now();
      for (let i = 0; i < count; i++) kernel.launchAndFinishSync(queue, size, a, b, i & 1, 64);
      return (now() - start) / count;
    },
  };
}
