/**
 * Runs a scenario repeatedly, with a fault at its first driver call, at its second, and so on until no call is left.
 * `node nth-call.mjs <rule> <maximum runs> <scenario>`: `@` in the rule is replaced by the number of the call, as in
 * `*@=-6` and `*@+=-5`. Without a scenario, the main one runs.
 */
import { writeSync } from "node:fs";

import { DisposedError, OpenCLError } from "@cl/core";

import { errorOf, leftovers } from "./outcome.mjs";
import { scenario as main } from "./scenario.mjs";
import { scenario as interop } from "./scenario-interop.mjs";
import { scenario as lending } from "./scenario-lending.mjs";
import { scenario as statistics } from "./scenario-statistics.mjs";

const [rule] = process.argv.slice(2);
const problems = [];
const maxRuns = Number(process.argv[3] ?? 2000);
const scenario = { interop, lending, statistics }[process.argv[4]] ?? main;
// Runs between leak checks. Collecting garbage takes ten times as long as a run.
const runsPerCheck = 20;
let current = "";

process.on("unhandledRejection", (error) => problems.push(`${current}: unhandled: ${error?.stack}`));
process.on("uncaughtException", (error) => problems.push(`${current}: uncaught: ${error?.stack}`));

const first = await errorOf(scenario);
if (first !== undefined) problems.push(`without a fault: ${first.stack}`);
let runs = 0;
// The number of calls varies because callbacks make some; thirty consecutive runs without a fault end the loop.
for (let successes = 0; successes < 30 && runs < maxRuns;) {
  runs++;
  current = rule.replace("@", `@${runs}`);
  writeSync(1, `${current}\n`);
  process.env.FAKE_CL_FAIL = current;
  const complaint = judge(await errorOf(scenario));
  delete process.env.FAKE_CL_FAIL;
  successes = complaint === "" ? successes + 1 : 0;
  if (complaint) problems.push(`${current}: ${complaint}`);
  if (runs % runsPerCheck === 0) await checkLeftovers();
}
await checkLeftovers();
writeSync(1, `\n${JSON.stringify({ made: runs, problems })}\n`);

async function checkLeftovers() {
  const left = await leftovers();
  if (left !== undefined) problems.push(`${current}, or one of up to ${runsPerCheck} runs before: ${left}`);
}

/** Returns "" without an error, `undefined` for an expected error. Keeps no error, whose stack would keep objects alive. */
function judge(error) {
  if (error === undefined) return "";
  // A failed query, such as of argument types, can lead to a TypeError.
  const expected = error instanceof OpenCLError || error instanceof DisposedError || error instanceof TypeError;
  return expected ? undefined : error.stack;
}
