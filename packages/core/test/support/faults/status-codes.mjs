/** Every status from every routine: each must come back as the right error, with nothing left behind. */
import { writeSync } from "node:fs";

import { OpenCLError, OutOfMemoryError, Status, StatusName } from "@cl/core";

import { Environment } from "../bad-input/environment.mjs";
import { actions, moreActions, releases } from "./actions.mjs";
import { extensionActions, extensionReleases } from "./actions-interop.mjs";
import { errorOf, leftovers } from "./outcome.mjs";

const problems = [];
const codes = [...new Set(Object.values(Status))].filter((code) => code < 0);
const outOfMemory = new Set([-4, -5, -6]);
let made = 0;

process.on("unhandledRejection", (error) => problems.push(`unhandled: ${error?.stack}`));

const all = [
  ...Object.entries(actions).map(([routine, action]) => [routine, action.run, action]),
  ...moreActions.map(([routine, run]) => [routine, run, actions[routine]]),
  // Nothing else does their work.
  ...extensionActions.map(([routine, run]) => [routine, run, {}]),
];
for (const [routine, run, { may = [], falls = false }] of all) {
  for (const code of codes) {
    if (may.includes(code)) continue;
    // No error is kept here, since its stack holds what it was thrown in.
    const complaint = await complaintOf(routine, code, run, falls);
    if (complaint !== undefined) problems.push(`${routine} = ${code} in ${String(run)}: ${complaint}`);
  }
}
for (const [routine, run] of [...releases, ...extensionReleases]) {
  for (const code of codes) {
    const error = await failing(routine, code, run);
    if (error !== undefined) problems.push(`${String(routine)} = ${code}: ${error.stack}`);
  }
}
const left = await leftovers();
if (left !== undefined) problems.push(left);
writeSync(1, `\n${JSON.stringify({ made, problems })}\n`);

async function complaintOf(routine, code, run, falls) {
  const error = await failing(routine, code, run);
  return falls ? unexpected(error) : judge(error, routine, code);
}

/** Makes what the call needs, then lets the routine fail. */
async function failing(routine, code, run) {
  const environment = new Environment();
  // Once without a fault, so that everything that the call needs is there.
  if (code === codes[0] && !actions[routine]?.fails) {
    const error = await errorOf(() => run(new Environment()));
    if (error !== undefined) problems.push(`${routine} without a fault in ${String(run)}: ${error.stack}`);
  }
  touch(environment, run);
  writeSync(1, `${routine} ${code}\n`);
  made++;
  process.env.FAKE_CL_FAIL = `${routine}=${code}`;
  try {
    return await errorOf(() => run(environment));
  } finally {
    delete process.env.FAKE_CL_FAIL;
  }
}

/** Makes the objects that the call names. */
function touch(environment, run) {
  for (const [, name] of String(run).matchAll(/\be\.(\w+)/g)) void environment[name];
}

function judge(error, routine, code) {
  if (error === undefined) return "no error";
  if (!(error instanceof OpenCLError)) return `not an OpenCLError: ${error.stack}`;
  if (error.status !== code) return `status ${error.status}: ${error.message}`;
  if (error.code !== (StatusName[code] ?? `CL_STATUS_${code}`)) return `code ${error.code}`;
  if (error.routine !== routine) return `routine ${error.routine}`;
  if (error instanceof OutOfMemoryError !== outOfMemory.has(code)) return `is a ${error.constructor.name}`;
  return undefined;
}

function unexpected(error) {
  return error === undefined || error instanceof OpenCLError ? undefined : error.stack;
}
