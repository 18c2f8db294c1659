// Our child for the jobs of @cl/characterize: only the device is asked of it, all jobs have processes of their own.
import { Context } from "@cl/core";

import { serve } from "../serve.mjs";

const [device] = Context.create().devices;

await serve({ device: () => device.name, launchesAreReal: () => true, jobs: {} });
