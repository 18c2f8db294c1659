// The jobs of @cl/array.
import { dispatchJobs } from "./dispatch.mjs";
import { elementwiseJobs } from "./elementwise.mjs";
import { movementJobs } from "./movement.mjs";
import { reductionJobs } from "./reductions.mjs";

/** @param {import("./rig.mjs").Rig} rig */
export function arrayJobs(rig) {
  return { ...elementwiseJobs(rig), ...reductionJobs(rig), ...movementJobs(rig), ...dispatchJobs(rig) };
}
