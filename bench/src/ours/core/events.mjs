// Events: a promise for each of many launches in flight, and profiling times of many events in one call.
import { CommandQueue, profilingTimes } from "@cl/core";

import { now } from "../serve.mjs";
import { size } from "./rig.mjs";

/** @param {import("./rig.mjs").Rig} rig */
export function eventJobs({ context, queue, program, a, b }) {
  const kernel = program.kernel("scale");
  /** @type {ReturnType<typeof kernel.enqueue>[] | undefined} */
  let profiled;
  const profiledEvents = () => {
    if (profiled === undefined) {
      const profiling = new CommandQueue(context, { profiling: true });
      profiled = Array.from({ length: 1000 }, () => kernel.enqueue(profiling, size, a, b, 1.5, 64));
      profiling.finishSync();
    }
    return profiled;
  };

  return {
    async "promise-per-event"(count) {
      const promises = Array.from({ length: count });
      const start = now();
      for (let i = 0; i < count; i++) promises[i] = kernel.enqueue(queue, size, a, b, 1.5, 64).wait();
      await Promise.all(promises);
      return (now() - start) / count;
    },

    "profile-read"(count) {
      const events = profiledEvents();
      const rounds = Math.max(1, count / events.length);
      const start = now();
      for (let i = 0; i < rounds; i++) profilingTimes(events, ["start", "end"]);
      return (now() - start) / (rounds * events.length);
    },
  };
}
