// The @cl child for the jobs of @cl/array.
import { serve } from "../serve.mjs";
import { arrayJobs } from "./jobs.mjs";
import { createRig, launchesAreReal } from "./rig.mjs";

const rig = await createRig();

await serve({
  device: () => rig.context.devices[0].name,
  launchesAreReal: () => launchesAreReal(rig),
  jobs: arrayJobs(rig),
});
