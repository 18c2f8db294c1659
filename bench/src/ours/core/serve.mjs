// The @cl child for the jobs of @cl/core.
import { serve } from "../serve.mjs";
import { eventJobs } from "./events.mjs";
import { launchJobs } from "./launch.mjs";
import { createRig, launchesAreReal } from "./rig.mjs";
import { transferJobs } from "./transfer.mjs";

const rig = await createRig();

await serve({
  device: () => rig.context.devices[0].name,
  launchesAreReal: () => launchesAreReal(rig),
  jobs: { ...(await launchJobs(rig)), ...transferJobs(rig), ...eventJobs(rig) },
});
