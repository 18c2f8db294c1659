// Worker threads find the periods of 60,000 logistic maps, while the main thread stays responsive.
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";

import { newSweep } from "./sweep.js";

const threads = Math.min(4, Math.max(2, availableParallelism()));
const sweep = newSweep(2.8, 4, 60_000, threads);
const { periods, done } = sweep;

const started = performance.now();
const report = (): void => {
  const percent = Math.round((100 * done.reduce((a, b) => a + b)) / periods.length);
  console.log(`${percent} % after ${((performance.now() - started) / 1000).toFixed(1)} s`);
};
const reports = setInterval(report, 500);
// The longest time between two ticks of a timer shows whether anything blocked this thread.
let [ticks, last, longest] = [0, started, 0];
const ticking = setInterval(() => {
  const now = performance.now();
  [ticks, last, longest] = [ticks + 1, now, Math.max(longest, now - last)];
}, 5);

const workers = Array.from({ length: threads }, (_, thread) => {
  return new Worker(new URL("worker.js", import.meta.url), { workerData: { sweep, thread } });
});
// An error in a thread rejects and ends the program.
await Promise.all(workers.map((worker) => once(worker, "exit")));
clearInterval(reports);
clearInterval(ticking);
report();
console.log(`${threads} threads computed ${done.join(" and ")} rates`);
console.log(`meanwhile the main thread ticked ${ticks} times, at most ${Math.ceil(longest)} ms apart`);

for (const period of [2, 4, 8, 3]) {
  const rate = sweep.from + sweep.pitch * periods.indexOf(period);
  console.log(`period ${period} starts at r = ${rate.toFixed(2)}`);
}
