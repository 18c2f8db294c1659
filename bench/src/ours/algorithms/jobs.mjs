// The jobs of the algorithms.
import { fourierJobs } from "./fourier.mjs";
import { productJobs } from "./products.mjs";
import { randomJobs } from "./random.mjs";
import { scanJobs } from "./scans.mjs";
import { sortJobs } from "./sorts.mjs";

/** @param {import("../array/rig.mjs").Rig} rig */
export function algorithmJobs(rig) {
  return { ...scanJobs(rig), ...sortJobs(rig), ...fourierJobs(rig), ...productJobs(rig), ...randomJobs(rig) };
}
