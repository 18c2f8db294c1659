/** Every status from every routine must become the right error and leak no handle. */
import { writeSync } from "node:fs";

import { OpenCLError, OutOfMemoryError, Status, StatusName } from "@cl/core";

import { Environment } from "../bad-input/environment.mjs";
import { actions, moreActions, releases } from "./actions.mjs";
import { extensionActions, extensionReleases } from "./actions-interop.mjs";
import { errorOf, leftovers } from "./outcome.mjs";

const problems = [];
const outOfMemory = new Set([-4, -5, -6]);
// A quick run draws one code in eight.
const isFull = process.env.CL_TEST_LEVEL === "full";
const codes = [...new Set(Object.values(Status))].filter(
  (code) => code < 0 && (isFull || outOfMemory.has(code) || code % 8 === 0),
);
let made = 0;

process.on("unhandledRejection", (error) => problems.push(`unhandled: ${error?.stack}`));

const all = [
  ...Object.entries(actions).map(([routine, action]) => [routine, action.run, action]),
  ...moreActions.map(([routine, run]) => [routine, run, actions[routine]]),
  // These have no fallback.
  ...extensionActions.map(([routine, run]) => [routine, run, {}]),
];
for (const [routine, run, { may = [], fallsBack = false }] of all) {
  for (const code of codes) {
    if (may.includes(code)) continue;
    // Keeps no error, because its stack would keep objects alive.
    const complaint = await complaintOf(routine, code, run, fallsBack);
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

async function complaintOf(routine, code, run, fallsBack) {
  const error = await failing(routine, code, run);
  return fallsBack ? unexpected(error) : judge(error, routine, code);
}

/** Creates the objects that a call needs, then makes the routine fail. */
async function failing(routine, code, run) {
  const environment = new Environment();
  // First runs without a fault to check that the call works.
  if (code === codes[0] && !actions[routine]?.fails) {
    const error = await errorOf(() => run(new Environment()));
    if (error !== undefined) problems.push(`${routine} without a fault in ${String(run)}: ${error.stack}`);
  }
  createObjects(environment, run);
  writeSync(1, `${routine} ${code}\n`);
  made++;
  process.env.FAKE_CL_FAIL = `${routine}=${code}`;
  try {
    return await errorOf(() => run(environment));
  } finally {
    delete process.env.FAKE_CL_FAIL;
  }
}

/** Creates the objects that the call uses. */
function createObjects(environment, run) {
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
