// The steps of kernels/chain.cl as element-wise launchers.
import { DeviceBuffer } from "@cl/core";
import { ElementwiseLauncher, ListLauncher } from "@cl/launcher";

import { now } from "../serve.mjs";
import { batch, source, stepLength } from "./rig.mjs";

/** @param {import("./rig.mjs").Rig} rig */
export function fuseJobs({ context, queue }) {
  const bodies = [...source("chain.cl").matchAll(/if \(i < n\) (.*;)/g)].map(([, body]) => body);

  /**
   * @param {number} elements
   * @param {boolean} fused
   */
  const listOf = (elements, fused) => {
    const a = DeviceBuffer.from(context, new Float32Array(elements).fill(1));
    const b = DeviceBuffer.from(context, new Float32Array(elements));
    const list = new ListLauncher("step");
    for (const [i, body] of bodies.entries()) {
      const options = { signature: "const float *a, float *b, float s", body, args: [a, b, 1.5] };
      list.push(ElementwiseLauncher.createSync(`k${i}`, context, options));
    }
    if (fused && !list.fuseSync().every((group) => group.fused)) throw new Error("the steps were not fused");
    if (list.length !== stepLength) throw new Error(`chain.cl must have ${stepLength} steps, received ${list.length}`);
    return list;
  };

  /**
   * @param {number} elements
   * @param {boolean} fused
   * @param {number} depth
   */
  const timed = (elements, fused, depth) => {
    /** @type {ListLauncher | undefined} */
    let list;
    return (/** @type {number} */ count) => {
      list ??= listOf(elements, fused);
      const start = now();
      for (let done = 0; done < count; done += depth) {
        for (let i = 0; i < Math.min(depth, count - done); i += stepLength) list.launch(queue);
        queue.finishSync();
      }
      return (now() - start) / count;
    };
  };

  return {
    "step-20-fused": timed(64, true, batch),
    "step-20-unfused": timed(64, false, batch),
    "step-20-fused-large": timed(1 << 20, true, stepLength),
  };
}
