// Simulation steps of twenty kernels, recorded once as a list.
import { KernelLauncher, ListLauncher } from "@cl/launcher";

import { now } from "../serve.mjs";
import { batch, fixedLauncher, kernelNames, size, stepLength } from "./rig.mjs";

/** @param {import("./rig.mjs").Rig} rig */
export function stepJobs(rig) {
  const { queue, program, a, b } = rig;

  /** @param {(kernel: string, i: number) => KernelLauncher} launcher */
  const listOf = (launcher) => new ListLauncher("step").push(...kernelNames.map(launcher));

  /** @param {(i: number) => string} parameter */
  const listWith = (parameter) =>
    listOf(
      (name, i) =>
        new KernelLauncher(name, program.kernel(name), {
          args: { a, b, n: 64 },
          parameters: { [parameter(i)]: "s" },
          ...size,
        }),
    );

  /**
   * @param {number} count
   * @param {(step: number) => void} launch
   */
  const timed = (count, launch) => {
    const start = now();
    let step = 0;
    for (let done = 0; done < count; done += batch) {
      const depth = Math.min(batch, count - done);
      for (let i = 0; i < depth; i += stepLength) launch(step++);
      queue.finishSync();
    }
    return (now() - start) / count;
  };

  const fixed = listOf((name) => fixedLauncher(rig, name));
  const names = kernelNames.map((_, i) => `s${i}`);
  const separate = listWith((i) => names[i]);
  const shared = listWith(() => "dt");

  return {
    "step-20-fixed": (count) => timed(count, () => fixed.launch(queue)),

    "step-20-patched"(count) {
      const table = separate.parameterTable();
      const { values } = table;
      return timed(count, (step) => {
        for (let i = 0; i < stepLength; i++) values[i] = i + (step & 1);
        table.launch(queue);
      });
    },

    // With values from an object.
    "step-20-named"(count) {
      const values = Object.fromEntries(names.map((name) => [name, 0]));
      return timed(count, (step) => {
        for (let i = 0; i < stepLength; i++) values[names[i]] = i + (step & 1);
        separate.launch(queue, values);
      });
    },

    "step-20-shared"(count) {
      const values = { dt: 0 };
      return timed(count, (step) => {
        values.dt = step & 1;
        shared.launch(queue, values);
      });
    },
  };
}
