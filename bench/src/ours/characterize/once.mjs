// The @cl jobs that need a separate process: `once.mjs <job>`. Prints nanoseconds.
import { characterize } from "@cl/characterize";
import { Context } from "@cl/core";

import { runNamedJob } from "../once.mjs";
import { now } from "../serve.mjs";

const [device] = Context.create().devices;

/** @param {import("@cl/characterize").CharacterizeOptions} options */
async function timed(options) {
  const start = now();
  await characterize(device, options);
  return now() - start;
}

await runNamedJob({
  // Without the cache of results; the driver's compiler may have a cache.
  characterize: () => timed({ cache: false }),
  "characterize-prepare": () => timed({}),
  "characterize-cached": () => timed({}),
});
