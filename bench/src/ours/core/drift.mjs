// Growth of resident memory when nothing is released explicitly, and entries left in the handle table after garbage
// collection. Returns `<KiB> handles=<n>`. Requires --expose-gc.
import { setImmediate as turn, setTimeout as sleep } from "node:timers/promises";

import { DeviceBuffer, handleCount } from "@cl/core";

import { createRig, size } from "./rig.mjs";

// Operations between two turns of the event loop, which run the finalizers of collected objects.
const chunk = 1000;

/** @param {number} count */
export function driftOfLaunches(count) {
  return drift(count, ({ queue, program, a, b }) => {
    const kernel = program.kernel("scale");
    return (times) => {
      for (let i = 0; i < times; i++) kernel.launch(queue, size, a, b, 1.5, 64);
    };
  });
}

/** @param {number} count */
export function driftOfBuffers(count) {
  return drift(count, ({ context }) => (times) => {
    for (let i = 0; i < times; i++) void new DeviceBuffer(context, 4096);
  });
}

/** @param {number} count */
export function driftOfPromises(count) {
  return drift(count, ({ queue, program, a, b }) => {
    const kernel = program.kernel("scale");
    return (times) => {
      for (let i = 0; i < times; i++) void kernel.enqueue(queue, size, a, b, 1.5, 64).wait();
    };
  });
}

/**
 * @param {number} count
 * @param {(rig: import("./rig.mjs").Rig) => (times: number) => void} prepare
 */
async function drift(count, prepare) {
  const growth = await grow(count, prepare);
  // The rig is no longer reachable.
  await collect();
  return `${growth} handles=${handleCount()}`;
}

/**
 * @param {number} count
 * @param {(rig: import("./rig.mjs").Rig) => (times: number) => void} prepare
 */
async function grow(count, prepare) {
  const rig = await createRig();
  const work = prepare(rig);
  const run = async (/** @type {number} */ times) => {
    for (let done = 0; done < times; done += chunk) {
      work(Math.min(chunk, times - done));
      await turn();
    }
    await rig.queue.finish();
    await collect();
  };
  // Warm up with the same work three times, so that heaps and drivers reach their final size.
  for (let i = 0; i < 3; i++) await run(count);
  const before = process.memoryUsage.rss();
  await run(count);
  return (process.memoryUsage.rss() - before) / 1024;
}

/** Collects garbage several times with turns between, because a finalizer may make further objects collectable. */
async function collect() {
  for (let i = 0; i < 5; i++) {
    globalThis.gc();
    await sleep(10);
  }
}
