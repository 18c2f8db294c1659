// The jobs of @cl/tools. The targets are those of its design; jobs without a target are only recorded.
import { pools } from "./pool.mjs";
import { touches } from "./touch.mjs";
import { traces } from "./trace.mjs";

/** @type {readonly import("../../job.mjs").Job[]} */
export const jobs = [...pools, ...touches, ...traces];
