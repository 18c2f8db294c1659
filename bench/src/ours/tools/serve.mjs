// The @cl child for the jobs of @cl/tools.
import { serve } from "../serve.mjs";
import { poolJobs } from "./pool.mjs";
import { createRig, launchesAreReal } from "./rig.mjs";
import { touchJobs } from "./touch.mjs";
import { traceJobs } from "./trace.mjs";

const rig = await createRig();

await serve({
  device: () => rig.context.devices[0].name,
  launchesAreReal: () => launchesAreReal(rig),
  jobs: { ...poolJobs(rig), ...touchJobs(rig), ...traceJobs(rig) },
});
