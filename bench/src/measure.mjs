// Measures one job: finds the available sides, warms them up and interleaves them.
import { environment } from "./environments.mjs";
import { calibrate, interleave, sliceNanoseconds } from "./interleave.mjs";
import { messageOf } from "./message.mjs";
import { runOnce } from "./once.mjs";

/** @typedef {import("./interleave.mjs").Sample} Sample */
/** @typedef {import("./job.mjs").Job} Job */
/** @typedef {import("./job.mjs").Side} Side */
/** @typedef {import("./crew.mjs").Crew} Crew */
/** @typedef {() => Promise<Sample>} Measure */

/**
 * @typedef {object} Setting
 * @property {ReadonlyMap<string, import("./peers.mjs").Peer>} peers
 * @property {Crew | undefined} crew the persistent children, for jobs of kind `loop`
 * @property {string} nullDriver
 * @property {number | undefined} count fixed count, if the job has one
 * @property {number} rounds
 * @property {boolean} quick
 */

/**
 * @param {Job} job
 * @param {Setting} setting
 * @returns {Promise<{ samples: Map<string, Sample[]>, notes: string[] }>}
 */
export async function measure(job, setting) {
  /** @type {Map<string, Measure>} */
  const ready = new Map();
  const notes = [];
  for (const [field, side] of Object.entries(job.sides)) {
    try {
      const prepared =
        job.kind === "loop" ? await prepareLoop(job, side, setting) : await prepareOnce(job, side, setting);
      if (prepared !== undefined) ready.set(field, prepared);
    } catch (problem) {
      notes.push(`no ${field}: ${messageOf(problem)}`);
    }
  }
  return { samples: await interleave(ready, job.rounds ?? setting.rounds), notes };
}

/**
 * @param {Job} job
 * @param {Side} side
 * @param {Setting} setting
 * @returns {Promise<Measure | undefined>}
 */
async function prepareLoop(job, side, setting) {
  const child = setting.crew?.child(side.peer);
  if (child === undefined) return undefined;
  const run = (/** @type {number} */ count) => child.run(side.job, count);
  const { count, quick } = setting;
  if (count === undefined) {
    const { multiple = 1, quickMultiple = multiple } = job;
    const calibrated = quick
      ? await calibrate(run, quickMultiple, sliceNanoseconds.quick)
      : await calibrate(run, multiple, sliceNanoseconds.full);
    return () => run(calibrated);
  }
  await run(count);
  return () => run(count);
}

/**
 * @param {Job} job
 * @param {Side} side
 * @param {Setting} setting
 * @returns {Promise<Measure | undefined>}
 */
async function prepareOnce(job, side, setting) {
  const peer = setting.peers.get(side.peer);
  if (peer === undefined) return undefined;
  const env = environment(job.environment, side.peer, setting.nullDriver, peer.env);
  const run = (/** @type {string} */ name) => runOnce(peer.once(name, setting.count, job.nodeArguments ?? []), env);
  if (side.prepare !== undefined) await run(side.prepare);
  // Two runs fill all caches, unless the job is to be run only once.
  if (job.rounds !== 1) {
    await run(side.job);
    await run(side.job);
  }
  return () => run(side.job);
}
