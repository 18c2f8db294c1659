// Steps on a profiling queue, with the launchers' statistics; the counterpart of native/launcher/profiled.cc.
import { CommandQueue } from "@cl/core";
import { ListLauncher, Profiler } from "@cl/launcher";

import { now } from "../serve.mjs";
import { batch, fixedLauncher, kernelNames, stepLength } from "./rig.mjs";

/** @param {import("./rig.mjs").Rig} rig */
export function profiledJobs(rig) {
  const queue = new CommandQueue(rig.context, { profiling: true });

  /** @param {import("@cl/launcher").ListLauncherOptions} [options] */
  const timed = (options) => {
    const list = listOf(rig, options);
    return (/** @type {number} */ count) => {
      list.statistics.drain();
      const start = now();
      launchSteps(list, queue, count);
      const counted = list.statistics.snapshot().count;
      const elapsed = now() - start;
      if (counted !== count) throw new Error(`expected ${count} counted commands, received ${counted}`);
      return elapsed / count;
    };
  };

  const read = listOf(rig);
  return {
    "step-20-profiled": timed(),
    "step-20-profiler": timed({ profiler: new Profiler({ trace: false }) }),
    "step-20-traced": timed({ profiler: new Profiler() }),

    "statistics-read"(count) {
      launchSteps(read, queue, 10 * batch);
      let total = 0;
      const start = now();
      for (let i = 0; i < count; i++) total += read.statistics.snapshot().total;
      const elapsed = now() - start;
      if (!(total > 0)) throw new Error("nothing was counted");
      return elapsed / count;
    },
  };
}

/**
 * @param {import("./rig.mjs").Rig} rig
 * @param {import("@cl/launcher").ListLauncherOptions} [options]
 */
export function listOf(rig, options) {
  return new ListLauncher("step", options).push(...kernelNames.map((name) => fixedLauncher(rig, name)));
}

/**
 * @param {ListLauncher} list
 * @param {CommandQueue} queue
 * @param {number} count of kernels
 */
export function launchSteps(list, queue, count) {
  for (let done = 0; done < count; done += batch) {
    const depth = Math.min(batch, count - done);
    for (let i = 0; i < depth; i += stepLength) list.launch(queue);
    queue.finishSync();
  }
}
