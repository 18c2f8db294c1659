// The @cl child for the jobs of @cl/array.
import { serve } from "../serve.mjs";
import { dispatchJobs } from "./dispatch.mjs";
import { elementwiseJobs } from "./elementwise.mjs";
import { movementJobs } from "./movement.mjs";
import { reductionJobs } from "./reductions.mjs";
import { createRig } from "./rig.mjs";

const rig = createRig();

await serve({
  device: () => rig.context.devices[0].name,
  // No job uses the null driver.
  launchesAreReal: () => true,
  jobs: { ...elementwiseJobs(rig), ...reductionJobs(rig), ...movementJobs(rig), ...dispatchJobs(rig) },
});
