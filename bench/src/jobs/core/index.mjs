// The jobs of @cl/core. The targets are those of its design; jobs without a target are only recorded.
import { drift } from "./drift.mjs";
import { events } from "./events.mjs";
import { launches } from "./launch.mjs";
import { starts } from "./start.mjs";
import { transfers } from "./transfer.mjs";

/** @type {readonly import("../../job.mjs").Job[]} */
export const jobs = [...launches, ...transfers, ...events, ...starts, ...drift];
