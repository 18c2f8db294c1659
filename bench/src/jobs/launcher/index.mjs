// The jobs of @cl/launcher. The targets are those of its design; jobs without a target are only recorded.
import { bounded } from "./bounded.mjs";
import { fusions } from "./fuse.mjs";
import { iterations } from "./iterate.mjs";
import { lattice } from "./lattice.mjs";
import { profiled } from "./profiled.mjs";
import { resident } from "./resident.mjs";
import { sizes } from "./sizes.mjs";
import { steps } from "./step.mjs";

/** @type {readonly import("../../job.mjs").Job[]} */
export const jobs = [...steps, ...iterations, ...fusions, ...resident, ...lattice, ...sizes, ...profiled, ...bounded];
