// The @cl child for the jobs of the algorithms.
import { serve } from "../serve.mjs";
import { createRig } from "../array/rig.mjs";
import { fourierJobs } from "./fourier.mjs";
import { productJobs } from "./products.mjs";
import { randomJobs } from "./random.mjs";
import { scanJobs } from "./scans.mjs";
import { sortJobs } from "./sorts.mjs";

const rig = createRig();

await serve({
  device: () => rig.context.devices[0].name,
  // No job uses the null driver.
  launchesAreReal: () => true,
  jobs: { ...scanJobs(rig), ...sortJobs(rig), ...fourierJobs(rig), ...productJobs(rig), ...randomJobs(rig) },
});
