import { expect, test } from "vitest";

import { isFull } from "@cl/testing/level";
import { runChild } from "./fixtures/child.js";

/** Matches the report of a hang: "work hung" or "teardown hung". */
const hang = /hung/;

test("eight workers use OpenCL concurrently, and exit normally with pending work", async () => {
  const end = await runChild("workers.mjs", { args: ["complete"], limit: 100_000 });
  expect(end.stdout, end.trace).not.toMatch(hang);
  expect(end, end.trace).toMatchObject({ code: 0, signal: null, hung: false, stdout: "exit codes 0\n", stderr: "" });
}, 240_000);

test("eight workers that are repeatedly terminated at random moments neither crash nor hang", async () => {
  const end = await runChild("workers.mjs", { args: ["terminate", "30", isFull ? "10000" : "2000"], limit: 100_000 });
  expect(end.stdout, end.trace).not.toMatch(hang);
  expect(end, end.trace).toMatchObject({ code: 0, signal: null, hung: false, stderr: "" });
  expect(end.stdout, end.trace).toMatch(/^terminated \d+ workers after \d+ rounds of work\n$/);
}, 240_000);

test("the process may exit while workers work", async () => {
  const end = await runChild("workers.mjs", { args: ["exit"], limit: 100_000 });
  expect(end, end.trace).toMatchObject({ code: 7, signal: null, hung: false, stdout: "", stderr: "" });
}, 240_000);

test("a worker that calls process.exit with pending work ends only itself", async () => {
  const end = await runChild("workers.mjs", { args: ["selfExit"], limit: 100_000 });
  expect(end, end.trace).toMatchObject({ code: 0, signal: null, hung: false, stdout: "exit codes 5\n", stderr: "" });
}, 240_000);
