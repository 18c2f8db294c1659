/** Allocates until memory is exhausted, releases everything, and allocates again. */
import { writeSync } from "node:fs";

import { Context, DeviceBuffer, OutOfMemoryError } from "@cl/core";

import { errorOf, leftovers } from "./outcome.mjs";

const problems = [];
await (async () => {
  const context = Context.create();
  const buffers = [];
  const exhaust = () => {
    for (;;) buffers.push(new DeviceBuffer(context, 4096));
  };
  for (let round = 0; round < 3; round++) {
    const error = await errorOf(exhaust);
    const right = error instanceof OutOfMemoryError && error.code === "CL_MEM_OBJECT_ALLOCATION_FAILURE";
    if (!right) problems.push(`round ${round}: ${error.stack}`);
    if (buffers.length !== 16) problems.push(`round ${round}: ${buffers.length} buffers`);
    for (const buffer of buffers.splice(0)) buffer.release();
  }
})();
const left = await leftovers();
if (left !== undefined) problems.push(left);
writeSync(1, `\n${JSON.stringify({ made: 3, problems })}\n`);
