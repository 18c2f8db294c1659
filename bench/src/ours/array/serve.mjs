// The @cl child for the jobs of @cl/array.
import { serve } from "../serve.mjs";
import { argumentJobs } from "./dispatch.mjs";
import { arrayJobs } from "./jobs.mjs";
import { createRig, createScale, launchesAreReal } from "./rig.mjs";

const rig = createRig();
const scale = await createScale(rig);

await serve({
  device: () => rig.context.devices[0].name,
  launchesAreReal: () => launchesAreReal(rig, scale),
  jobs: { ...arrayJobs(rig), ...argumentJobs(rig, scale) },
});
