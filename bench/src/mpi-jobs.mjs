// The jobs of mpi.mjs: arguments for ours/mpi/program.mjs and for native/mpi/baseline.c.
import { fileURLToPath } from "node:url";

/**
 * @typedef {object} MpiJob
 * @property {string} name
 * @property {string} [group] jobs of a group run in one process, which saves time
 * @property {string} [size] as in records
 * @property {readonly string[]} [ours]
 * @property {readonly string[]} [c]
 * @property {readonly number[]} [ranks] the only numbers of ranks that it can have
 * @property {"weak" | "strong"} [scaling] whether the problem grows with the ranks; absent if it has no size
 * @property {(ranks: number) => number} [hostBytes] see `BenchRecord`
 */

/**
 * All programs must print the same, on any number of ranks.
 * @typedef {Pick<MpiJob, "name" | "ours" | "c">} Check
 */

/** The sets of jobs, by name. @type {Record<string, (isQuick: boolean) => { checks: Check[], jobs: MpiJob[] }>} */
export const sets = { cores: coresSet, gpus: gpusSet };

const latticeSource = fileURLToPath(new URL("../../examples/lattice-boltzmann/lattice.cl", import.meta.url));
const float = Float32Array.BYTES_PER_ELEMENT;
const complex = 2 * float;

/** @param {boolean} isQuick */
function coresSet(isQuick) {
  const [size, steps] = isQuick ? ["64", "100"] : ["512", "2000"];
  const cube = isQuick ? "32" : "256";
  /** @type {MpiJob[]} */
  const jobs = [
    heatJob("heat in a list, C overlaps", "heat-list", size, steps, "heat-overlap"),
    heatJob("heat in a list", "heat-list", size, steps),
    heatJob("heat, overlapped", "heat-overlap", size, steps),
    { name: "JavaScript per exchange", ours: ["javascript", size, steps] },
    { name: "allreduce in a list", ours: ["allreduce-list", "5000"], c: ["allreduce-device", "5000"] },
    { name: "allreduce in a list, C without device", ours: ["allreduce-list", "5000"], c: ["allreduce", "5000"] },
    { ...transposeJob(cube), name: "transpose, C without device", c: ["alltoall", cube, "10"] },
  ];
  for (const [bytes, rounds] of Object.entries({ 8: "100000", 1048576: "3000" })) {
    for (const how of ["sync", "promise"]) {
      const count = isQuick ? "100" : rounds;
      jobs.push({
        name: `ping-pong of ${bytes} B, ${how}`,
        ranks: [2],
        ours: [`ping-pong-${how}`, bytes, count],
        c: ["ping-pong", bytes, count],
      });
    }
  }
  return { checks: [], jobs };
}

/**
 * Weak scaling with one rank on each GPU, and what the exchanges of the simulations take alone.
 * @param {boolean} isQuick
 */
function gpusSet(isQuick) {
  const [heat, lattice, cube, rounds] = isQuick ? ["64", "16", "32", "100"] : ["4096", "256", "512", "2000"];
  const [heatSteps, latticeSteps] = isQuick ? ["100", "20"] : ["2000", "1000"];
  const checked = isQuick ? "16" : "64";
  /** @type {Check[]} */
  const checks = [
    { name: "heat-check", ours: ["heat-check", isQuick ? "64" : "1024", "40"] },
    { name: "lattice-check", ours: ["lattice-check", checked, "40"] },
    // The same flow as that of the C program.
    { name: "lattice-sum", ours: ["lattice-sum", checked, "40"], c: ["lattice-sum", checked, "40", latticeSource] },
  ];
  const jobs = [
    ...inGroup("heat", [
      heatJob("heat", "heat-list", heat, heatSteps),
      heatJob("heat, overlapped", "heat-overlap", heat, heatSteps),
      heatJob("heat, exchange alone", "heat-exchange", heat, heatSteps),
    ]),
    ...inGroup("lattice", [
      latticeJob("lattice", "lattice-list", lattice, latticeSteps),
      latticeJob("lattice, overlapped", "lattice-overlap", lattice, latticeSteps),
      latticeJob("lattice, exchange alone", "lattice-exchange", lattice, latticeSteps),
    ]),
    ...inGroup("collective operations", [
      {
        name: "allreduce of 8 B in a list",
        ours: ["allreduce-list", rounds],
        c: ["allreduce-device", rounds],
        hostBytes: () => 16,
      },
      { name: "allreduce of 8 B, host only", c: ["allreduce", rounds] },
      transposeJob(cube),
      { name: "alltoall, host only", size: `${cube}³`, c: ["alltoall", cube, "10"], scaling: "strong" },
      { name: "Fourier transform and inverse", size: `${cube}³`, ours: ["fft", cube, "5"], scaling: "strong" },
    ]),
  ];
  return { checks, jobs };
}

/**
 * @param {string} group
 * @param {readonly MpiJob[]} jobs
 * @returns {MpiJob[]}
 */
function inGroup(group, jobs) {
  return jobs.map((job) => ({ ...job, group }));
}

/**
 * @param {string} name
 * @param {string} job
 * @param {string} size
 * @param {string} steps
 * @returns {MpiJob}
 */
function heatJob(name, job, size, steps, cJob = job) {
  return {
    name,
    size: `${size}²`,
    ours: [job, size, steps],
    c: [cJob, size, steps],
    ...scalingOf(job),
    // A row for each neighbor that is another rank, read and written.
    hostBytes: (ranks) => {
      const rows = Math.max(...divisors(ranks).filter((count) => count * count <= ranks));
      return [rows, ranks / rows].filter((count) => count > 1).length * 2 * Number(size) * float * 2;
    },
  };
}

/**
 * @param {string} name
 * @param {string} job
 * @param {string} size
 * @param {string} steps
 * @returns {MpiJob}
 */
function latticeJob(name, job, size, steps) {
  return {
    name,
    size: `${size}³`,
    ours: [job, size, steps],
    c: [job, size, steps, latticeSource],
    ...scalingOf(job),
    // Two exchanges in two steps: five populations of a slice for each of two neighbors, read and written.
    hostBytes: (ranks) => (ranks === 1 ? 0 : 5 * Number(size) ** 2 * float * 2 * 2),
  };
}

/**
 * Returns the scaling of a simulation. An exchange alone has none, because one rank copies on the device.
 * @param {string} job
 */
function scalingOf(job) {
  return job.endsWith("-exchange") ? {} : { scaling: /** @type {const} */ ("weak") };
}

/**
 * @param {string} size
 * @returns {MpiJob}
 */
function transposeJob(size) {
  return {
    name: "transpose",
    size: `${size}³`,
    ours: ["transpose", size, "10"],
    c: ["alltoall-device", size, "10"],
    scaling: "strong",
    // The part of a rank that other ranks get, read, and as much written.
    hostBytes: (ranks) => ((Number(size) ** 3 * complex) / ranks) * (1 - 1 / ranks) * 2,
  };
}

/** @param {number} count */
function divisors(count) {
  return Array.from({ length: count }, (_, i) => i + 1).filter((one) => count % one === 0);
}
