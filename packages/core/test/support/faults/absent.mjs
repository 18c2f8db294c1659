/**
 * Tests a runtime that lacks entry points: calls that need one name it, all others work.
 * `node absent.mjs '{"clCloneKernel":"2.1"}'`: the missing entry points with the OpenCL version that introduced them.
 */
import { writeSync } from "node:fs";

import { NotSupportedError } from "@cl/core";

import { Environment } from "../bad-input/environment.mjs";
import { actions, moreActions, releases } from "./actions.mjs";
import { errorOf, leftovers } from "./outcome.mjs";

const absent = JSON.parse(process.argv[2]);
const problems = [];
const notSupported = [];
let made = 0;

process.on("unhandledRejection", (error) => problems.push(`unhandled: ${error?.stack}`));

const all = [
  ...Object.entries(actions).map(([routine, { run }]) => [routine, run]),
  ...moreActions,
  ...releases.map(([routine, run]) => [routine, run, true]),
];
for (const [routine, run, isRelease = false] of all) {
  const { older = false, fallsBack = false, fails = false } = actions[routine] ?? {};
  writeSync(1, `${String(routine)}\n`);
  made++;
  const error = await errorOf(() => run(new Environment()));
  const complaint = judge(error, routine, older || fallsBack || isRelease, fails);
  if (complaint !== undefined) problems.push(`${String(routine)} in ${String(run)}: ${complaint}`);
}
const left = await leftovers();
if (left !== undefined) problems.push(left);
writeSync(1, `\n${JSON.stringify({ made, notSupported, problems })}\n`);

function judge(error, routine, hasFallback, fails) {
  if (error instanceof NotSupportedError) {
    notSupported.push(error.routine);
    // Unsupported device queries name the query and its version.
    if (/does not support \w+, which needs OpenCL \d/.test(error.message)) return undefined;
    // An action may need other routines first, such as creating the sub-devices that it releases.
    if (!Object.hasOwn(absent, error.routine)) return `${error.routine} is not missing: ${error.message}`;
    // Errors about missing SPIR-V or pipe support have more details.
    if (/SPIR-V|does not support pipes/.test(error.message)) return undefined;
    if (!error.message.includes(error.routine) || !error.message.includes(absent[error.routine])) return error.message;
    return undefined;
  }
  // If the query is also missing, no program is recognized as SPIR-V.
  if (error?.message.startsWith("specialization constants are only supported") && Object.hasOwn(absent, routine)) {
    return undefined;
  }
  if (error !== undefined) return fails ? undefined : error.stack;
  return Object.hasOwn(absent, routine) && !hasFallback ? "worked without its entry point" : undefined;
}
