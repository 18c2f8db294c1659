// The jobs of @cl/array. The targets are those of its design; jobs without a target are only recorded.
import { dispatches } from "./dispatch.mjs";
import { elementwise } from "./elementwise.mjs";
import { movement } from "./movement.mjs";
import { reductions } from "./reductions.mjs";

/** @type {readonly import("../../job.mjs").Job[]} */
export const jobs = [...elementwise, ...reductions, ...movement, ...dispatches];
