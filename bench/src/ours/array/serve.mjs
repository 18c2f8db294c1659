// The @cl child for the jobs of @cl/array.
import { serve } from "../serve.mjs";
import { arrayJobs } from "./jobs.mjs";
import { createRig } from "./rig.mjs";

const rig = createRig();

await serve({
  device: () => rig.context.devices[0].name,
  // No job uses the null driver.
  launchesAreReal: () => true,
  jobs: arrayJobs(rig),
});
