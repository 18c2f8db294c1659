// The line protocol (native/protocol.h) in @cl children. Jobs may be asynchronous; requests are sequential.
import { createInterface } from "node:readline";

import { messageOf } from "../message.mjs";

/**
 * @typedef {object} Service
 * @property {() => string} device
 * @property {() => boolean} launchesAreReal
 * @property {Record<string, (count: number) => number | string | Promise<number>>} jobs nanoseconds per unit; text may add `name=value`
 */

/**
 * Answers requests until stdin ends.
 * @param {Service} service
 */
export async function serve(service) {
  for await (const line of createInterface({ input: process.stdin })) {
    try {
      console.log(`ok ${await answer(service, line)}`);
    } catch (problem) {
      console.log(`error ${messageOf(problem)}`);
    }
  }
}

/**
 * @param {Service} service
 * @param {string} line
 */
async function answer(service, line) {
  const [verb, name = "", count] = line.split(" ");
  if (verb === "device") return service.device();
  if (verb === "check") return service.launchesAreReal() ? "real" : "null";
  const job = service.jobs[name];
  if (verb !== "run" || job === undefined) throw new Error(`unknown request: ${line}`);
  return job(Number(count));
}

/** Returns the wall-clock time in nanoseconds. */
export function now() {
  return performance.now() * 1e6;
}
