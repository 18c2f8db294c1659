// Launches of one launcher with a parameter, in batches that end with a finish.
import { KernelLauncher } from "@cl/launcher";

import { now } from "../serve.mjs";
import { batch, size } from "./rig.mjs";

/** @param {import("./rig.mjs").Rig} rig */
export function sizeJobs({ queue, program, a, b }) {
  /** @param {object} sizes */
  const launcherWith = (sizes) =>
    new KernelLauncher("k00", program.kernel("k00"), { args: { a, b, n: 64 }, parameters: ["s"], ...sizes });

  /** @param {(factor: number) => void} launch */
  const timed = (launch) => (/** @type {number} */ count) => {
    const start = now();
    for (let done = 0; done < count; done += batch) {
      const depth = Math.min(batch, count - done);
      for (let i = 0; i < depth; i++) launch(i & 1);
      queue.finishSync();
    }
    return (now() - start) / count;
  };

  const fixed = launcherWith(size);
  const varying = launcherWith({ global: (/** @type {{ n: number }} */ { n }) => n, local: 64 });
  return {
    "sizes-fixed": timed((s) => fixed.launch(queue, { s })),
    "sizes-function": timed((s) => varying.launch(queue, { s })),
    "sizes-override": timed((s) => fixed.launch(queue, { s }, { global: 64, local: 64 })),
  };
}
