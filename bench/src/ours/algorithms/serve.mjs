// The @cl child for the jobs of the algorithms.
import { serve } from "../serve.mjs";
import { createRig } from "../array/rig.mjs";
import { algorithmJobs } from "./jobs.mjs";

const rig = createRig();

await serve({
  device: () => rig.context.devices[0].name,
  // No job uses the null driver.
  launchesAreReal: () => true,
  jobs: algorithmJobs(rig),
});
