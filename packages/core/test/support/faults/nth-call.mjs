/**
 * The scenario again and again, with a fault at its first driver call, at its second, and so on until none is left.
 * `node nth-call.mjs <rule> <at most so many> <interop, lending or statistics, for that scenario>`: `@` in the rule stands for the number, as in `*@=-6` and `*@+=-5`.
 */
import { writeSync } from "node:fs";

import { DisposedError, OpenCLError } from "@cl/core";

import { errorOf, leftovers } from "./outcome.mjs";
import { scenario as everything } from "./scenario.mjs";
import { scenario as interop } from "./scenario-interop.mjs";
import { scenario as lending } from "./scenario-lending.mjs";
import { scenario as statistics } from "./scenario-statistics.mjs";

const [rule] = process.argv.slice(2);
const problems = [];
const last = Number(process.argv[3] ?? 2000);
const scenario = { interop, lending, statistics }[process.argv[4]] ?? everything;
// Collecting garbage takes ten times as long as a run, so that many runs come before one look at what is left.
const together = 20;
let current = "";

process.on("unhandledRejection", (error) => problems.push(`${current}: unhandled: ${error?.stack}`));
process.on("uncaughtException", (error) => problems.push(`${current}: uncaught: ${error?.stack}`));

const first = await errorOf(scenario);
if (first !== undefined) problems.push(`without a fault: ${first.stack}`);
let runs = 0;
// Some calls are made by callbacks, so the number is not the same each time; thirty runs in a row without a fault end it.
for (let whole = 0; whole < 30 && runs < last;) {
  runs++;
  current = rule.replace("@", `@${runs}`);
  writeSync(1, `${current}\n`);
  process.env.FAKE_CL_FAIL = current;
  const complaint = judge(await errorOf(scenario));
  delete process.env.FAKE_CL_FAIL;
  whole = complaint === "" ? whole + 1 : 0;
  if (complaint) problems.push(`${current}: ${complaint}`);
  if (runs % together === 0) await lookAtLeftovers();
}
await lookAtLeftovers();
writeSync(1, `\n${JSON.stringify({ made: runs, problems })}\n`);

async function lookAtLeftovers() {
  const left = await leftovers();
  if (left !== undefined) problems.push(`${current}, or one of up to ${together} runs before: ${left}`);
}

/** Empty for no error, undefined for one that is right. Errors are not kept: their stacks hold what they were thrown in. */
function judge(error) {
  if (error === undefined) return "";
  // A TypeError where something could not be asked, such as arguments' types.
  const ours = error instanceof OpenCLError || error instanceof DisposedError || error instanceof TypeError;
  return ours ? undefined : error.stack;
}
