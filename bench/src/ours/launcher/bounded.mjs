// Long loops in a process of their own: one that only launches, the counterpart of native/launcher/bounded.cc, and one that
// is profiled.
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
  // Compiled code, the heap's size and the driver's pool are there once, however many launches follow.
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

/** Resident KiB: the most since the kernel was last told to forget it. */
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
  if (list.statistics.snapshot().count < count) throw new Error("not all commands were counted");
  return growth;
}
