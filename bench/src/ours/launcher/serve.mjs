// The @cl child for the jobs of @cl/launcher.
import { serve } from "../serve.mjs";
import { fuseJobs } from "./fuse.mjs";
import { heatJobs } from "./heat.mjs";
import { iterateJobs } from "./iterate.mjs";
import { latticeJobs } from "./lattice.mjs";
import { profiledJobs } from "./profiled.mjs";
import { createRig, launchesAreReal } from "./rig.mjs";
import { sizeJobs } from "./sizes.mjs";
import { stepJobs } from "./step.mjs";

const rig = await createRig();

await serve({
  device: () => rig.context.devices[0].name,
  launchesAreReal: () => launchesAreReal(rig),
  jobs: {
    ...stepJobs(rig),
    ...sizeJobs(rig),
    ...iterateJobs(rig),
    ...fuseJobs(rig),
    ...heatJobs(rig),
    ...latticeJobs(rig),
    ...profiledJobs(rig),
  },
});
