// The @cl child for @cl/characterize. It only reports the device; all jobs run in separate processes.
import { Context } from "@cl/core";

import { serve } from "../serve.mjs";

const [device] = Context.create().devices;

await serve({ device: () => device.name, launchesAreReal: () => true, jobs: {} });
