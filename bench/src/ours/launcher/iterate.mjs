// All combinations of the values of two scalars, by one launch of an iterative launcher.
import { IterativeLauncher } from "@cl/launcher";

import { now } from "../serve.mjs";
import { size } from "./rig.mjs";

/** @param {import("./rig.mjs").Rig} rig */
export function iterateJobs({ queue, sweep, b }) {
  /** @param {ConstructorParameters<typeof IterativeLauncher>[2]["iterate"]} iterate */
  const timed = (iterate) => {
    const launcher = new IterativeLauncher("sweep", sweep.kernel("sweep"), {
      args: [b],
      parameters: ["s", "n"],
      iterate,
      ...size,
    });
    return (/** @type {number} */ count) => {
      const start = now();
      for (let done = 0; done < count; done += 1000) {
        launcher.launch(queue);
        queue.finishSync();
      }
      return (now() - start) / count;
    };
  };

  return {
    "iterate-1000": timed({
      *s() {
        for (let i = 0; i < 10; i++) yield i / 4;
      },
      *n() {
        for (let j = 0; j < 100; j++) yield j;
      },
    }),
    "iterate-1000-arrays": timed({
      s: Float32Array.from({ length: 10 }, (_, i) => i / 4),
      n: Array.from({ length: 100 }, (_, j) => j),
    }),
  };
}
