// The @cl child for the jobs that compare OpenCL runtimes.
import { processorName } from "../../machine.mjs";
import { algorithmJobs } from "../algorithms/jobs.mjs";
import { arrayJobs } from "../array/jobs.mjs";
import { createRig } from "../array/rig.mjs";
import { launchJobs } from "../core/launch.mjs";
import * as core from "../core/rig.mjs";
import { serve } from "../serve.mjs";
import { functionJobs } from "./functions.mjs";

const launches = await core.createRig();
const rig = createRig();

await serve({
  // Drivers name the same processor differently: pthread-haswell-AMD EPYC, cpu-haswell-AMD EPYC.
  device() {
    const { name } = rig.context.devices[0];
    const processor = processorName();
    return name.endsWith(processor) ? processor : name;
  },
  launchesAreReal: () => core.launchesAreReal(launches),
  jobs: { ...functionJobs(rig), ...(await launchJobs(launches)), ...arrayJobs(rig), ...algorithmJobs(rig) },
});
