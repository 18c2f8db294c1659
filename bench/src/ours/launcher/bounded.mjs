// Long loops in a separate process: one of launches, the counterpart of native/launcher/bounded.cc, and a profiled one.
import { readFileSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

import { CommandQueue } from "@cl/core";

import { now } from "../serve.mjs";
import { launchSteps, listOf } from "./profiled.mjs";
import { createRig, fixedLauncher } from "./rig.mjs";

/**
 * @param {number} count
 * @param {(times: number) => void} run
 */
async function measured(count, run) {
  // Warm up the compiled code, the heap and the driver's pool.
  run(50_000);
  globalThis.gc?.();
  await sleep(50);
  writeFileSync("/proc/self/clear_refs", "5");
  const before = peak();
  const start = now();
  run(count);
  return { nanoseconds: (now() - start) / count, growth: peak() - before };
}

/** @param {number} count */
async function bounded(count) {
  const rig = await createRig();
  const launcher = fixedLauncher(rig, "k00");
  return measured(count, (times) => {
    for (let i = 0; i < times; i++) launcher.launch(rig.queue);
    rig.queue.finishSync();
  });
}

/** Returns the peak resident memory in KiB since the last write to clear_refs. */
function peak() {
  return Number(/^VmHWM:\s*(\d+)/m.exec(readFileSync("/proc/self/status", "utf8"))[1]);
}

/** @param {number} count */
export async function boundedTime(count) {
  return (await bounded(count)).nanoseconds;
}

/** @param {number} count */
export async function boundedGrowth(count) {
  return (await bounded(count)).growth;
}

/** @param {number} count */
export async function profiledGrowth(count) {
  const rig = await createRig();
  const queue = new CommandQueue(rig.context, { profiling: true });
  const list = listOf(rig);
  const { growth } = await measured(count, (times) => launchSteps(list, queue, times));
  if (list.statistics.snapshot().count < count) {
    throw new Error(`expected at least ${count} counted commands, received ${list.statistics.snapshot().count}`);
  }
  return growth;
}
