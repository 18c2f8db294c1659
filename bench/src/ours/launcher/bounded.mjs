// A loop that only launches; the counterpart of native/launcher/bounded.cc.
import { readFileSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

import { now } from "../serve.mjs";
import { createRig, fixedLauncher } from "./rig.mjs";

/** @param {number} count */
async function launch(count) {
  const rig = await createRig();
  const launcher = fixedLauncher(rig, "k00");
  const run = (/** @type {number} */ times) => {
    for (let i = 0; i < times; i++) launcher.launch(rig.queue);
    rig.queue.finishSync();
  };
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

/** Resident KiB: the most since the kernel was last told to forget it. */
function peak() {
  return Number(/^VmHWM:\s*(\d+)/m.exec(readFileSync("/proc/self/status", "utf8"))[1]);
}

/** @param {number} count */
export async function boundedTime(count) {
  return (await launch(count)).nanoseconds;
}

/** @param {number} count */
export async function boundedGrowth(count) {
  return (await launch(count)).growth;
}
