// The @cl jobs that need a separate process: `once.mjs <job>`. Prints nanoseconds.
import { characterize } from "@cl/characterize";
import { Context } from "@cl/core";

import { messageOf } from "../../message.mjs";
import { now } from "../serve.mjs";

const [, , name] = process.argv;
const [device] = Context.create().devices;

/** @param {import("@cl/characterize").CharacterizeOptions} options */
async function timed(options) {
  const start = now();
  await characterize(device, options);
  return now() - start;
}

const jobs = {
  // Without the cache of results; the driver's compiler may have a cache.
  characterize: () => timed({ cache: false }),
  "characterize-prepare": () => timed({}),
  "characterize-cached": () => timed({}),
};

try {
  console.log(`ok ${await jobs[name]()}`);
} catch (problem) {
  console.log(`error ${messageOf(problem)}`);
  process.exitCode = 1;
}
