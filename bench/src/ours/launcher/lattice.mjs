// Steps of the flow in examples/lattice-boltzmann, two kernels that alternate, whose parameters change in each step.
import { DeviceBuffer, Program } from "@cl/core";
import { KernelLauncher, ListLauncher } from "@cl/launcher";

import { now } from "../serve.mjs";
import { source } from "./rig.mjs";

/** Maximum number of kernels between two finishes. */
const batch = 500;

/** @param {import("./rig.mjs").Rig} rig */
export function latticeJobs({ context, queue }) {
  /** @param {number} n cells per side */
  const stepsOf = (n) => {
    const cells = n ** 3;
    const options = `-D NX=${n} -D NY=${n} -D NZ=${n}`;
    const program = new Program(context, source("../../examples/lattice-boltzmann/lattice.cl")).buildSync({ options });
    const populations = new DeviceBuffer(context, 19 * 4 * cells);
    const velocity = Float32Array.from({ length: 3 * cells }, (_, i) => (i % 17) * 1e-3);
    program.kernel("start").launch(queue, { global: cells }, populations, DeviceBuffer.from(context, velocity));
    queue.finishSync();
    const args = [populations, DeviceBuffer.from(context, new Uint8Array(cells))];
    const parameters = ["omega", "inflow"];
    return new ListLauncher("two steps").push(
      new KernelLauncher("even", program.kernel("even"), { args, parameters, global: cells }),
      new KernelLauncher("odd", program.kernel("odd"), { args, parameters, global: [n, n, n] }),
    );
  };

  /** @param {number} n */
  const timed = (n) => {
    /** @type {ListLauncher | undefined} */
    let steps;
    return (/** @type {number} */ count) => {
      steps ??= stepsOf(n);
      const kernels = count / n ** 3;
      const start = now();
      for (let done = 0; done < kernels; done += batch) {
        for (let i = 0; i < Math.min(batch, kernels - done); i += 2) {
          steps.launch(queue, { omega: 1.7 + i * 1e-6, inflow: 0.1 });
        }
        queue.finishSync();
      }
      return (now() - start) / count;
    };
  };

  return Object.fromEntries([32, 64, 128, 256].map((n) => [`lbm-d3q19-${n}`, timed(n)]));
}
