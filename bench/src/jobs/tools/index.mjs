// The jobs of @cl/tools. The targets are those of its design; performance that has none is only watched.
import { pools } from "./pool.mjs";
import { touches } from "./touch.mjs";
import { traces } from "./trace.mjs";

/** @type {readonly import("../../job.mjs").Job[]} */
export const jobs = [...pools, ...touches, ...traces];
