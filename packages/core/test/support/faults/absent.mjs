/**
 * A runtime that lacks entry points: what needs them says so, everything else works.
 * `node absent.mjs '{"clCloneKernel":"2.1"}'`: what is absent, with the version that brought it.
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
  const { older = false, falls = false, fails = false } = actions[routine] ?? {};
  writeSync(1, `${String(routine)}\n`);
  made++;
  const error = await errorOf(() => run(new Environment()));
  const complaint = judge(error, routine, older || falls || isRelease, fails);
  if (complaint !== undefined) problems.push(`${String(routine)} in ${String(run)}: ${complaint}`);
}
const left = await leftovers();
if (left !== undefined) problems.push(left);
writeSync(1, `\n${JSON.stringify({ made, notSupported, problems })}\n`);

function judge(error, routine, hasOther, fails) {
  if (error instanceof NotSupportedError) {
    notSupported.push(error.routine);
    // What a device cannot say names the question and its version itself.
    if (/does not support \w+, which needs OpenCL \d/.test(error.message)) return undefined;
    // An action may need others first: sub-devices to be released must be made.
    if (!Object.hasOwn(absent, error.routine)) return `${error.routine} is there: ${error.message}`;
    // A device that takes no SPIR-V, or does not support pipes, says more.
    if (/SPIR-V|does not support pipes/.test(error.message)) return undefined;
    if (!error.message.includes(error.routine) || !error.message.includes(absent[error.routine])) return error.message;
    return undefined;
  }
  // Where the query for it is absent, too, no program is known to be SPIR-V.
  if (error?.message.startsWith("specialization constants are only supported") && Object.hasOwn(absent, routine)) {
    return undefined;
  }
  if (error !== undefined) return fails ? undefined : error.stack;
  return Object.hasOwn(absent, routine) && !hasOther ? "worked without its entry point" : undefined;
}
