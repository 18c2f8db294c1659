// Steps of the heat equation: twenty kernels, each of which needs what its predecessor wrote everywhere.
import { DeviceBuffer, Program } from "@cl/core";
import { KernelLauncher, ListLauncher } from "@cl/launcher";

import { now } from "../serve.mjs";
import { source, stepLength } from "./rig.mjs";

/** Maximum number of kernels between two finishes. */
const batch = 200;

/** @param {import("./rig.mjs").Rig} rig */
export function heatJobs({ context, queue }) {
  const program = new Program(context, source("heat.cl")).buildSync();

  /**
   * @param {number} n
   * @param {boolean} resident
   */
  const listOf = (n, resident) => {
    const [u, v] = [0, 1].map(() =>
      DeviceBuffer.from(
        context,
        Float32Array.from({ length: n * n }, (_, i) => i % 17),
      ),
    );
    const list = new ListLauncher("step");
    for (let k = 0; k < stepLength; k++) {
      const args = k % 2 === 0 ? { u, v, n } : { u: v, v: u, n };
      list.push(new KernelLauncher(`heat ${k}`, program, { args, parameters: ["dt"], global: [n, n] }));
    }
    if (resident && list.residentSync().length !== 1) throw new Error("the steps were not merged");
    return list;
  };

  /**
   * @param {number} n
   * @param {boolean} resident
   */
  const timed = (n, resident) => {
    /** @type {ListLauncher | undefined} */
    let list;
    return (/** @type {number} */ count) => {
      list ??= listOf(n, resident);
      const start = now();
      for (let done = 0; done < count; done += batch) {
        for (let i = 0; i < Math.min(batch, count - done); i += stepLength) list.launch(queue, { dt: 0.1 + i * 1e-6 });
        queue.finishSync();
      }
      return (now() - start) / count;
    };
  };

  return Object.fromEntries(
    [64, 256, 512, 1024].flatMap((n) => [
      [`step-20-resident-${n}`, timed(n, true)],
      [`step-20-list-${n}`, timed(n, false)],
    ]),
  );
}
