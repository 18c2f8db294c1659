import { expect, test } from "vitest";
import { runChild } from "./fixtures/child.js";

/** What says where it stood still: "work hung" or "teardown hung". */
const hang = /hung/;

test("eight workers use OpenCL at once, and end well with work left behind", async () => {
  const end = await runChild("workers.mjs", { args: ["complete"], limit: 40_000 });
  expect(end.stdout).not.toMatch(hang);
  expect(end).toMatchObject({ code: 0, signal: null, hung: false, stdout: "exit codes 0\n", stderr: "" });
}, 45_000);

test("eight workers that are terminated at random moments, again and again, neither crash nor hang", async () => {
  const end = await runChild("workers.mjs", { args: ["terminate", "30", "10000"], limit: 40_000 });
  expect(end.stdout).not.toMatch(hang);
  expect(end).toMatchObject({ code: 0, signal: null, hung: false, stderr: "" });
  expect(end.stdout).toMatch(/^terminated \d+ workers after \d+ rounds of work\n$/);
}, 45_000);

test("a process that ends while workers work ends at once", async () => {
  const end = await runChild("workers.mjs", { args: ["exit"], limit: 20_000 });
  expect(end).toMatchObject({ code: 7, signal: null, hung: false, stdout: "", stderr: "" });
});

test("a worker that exits by itself with work in flight takes only itself along", async () => {
  const end = await runChild("workers.mjs", { args: ["selfExit"], limit: 20_000 });
  expect(end).toMatchObject({ code: 0, signal: null, hung: false, stdout: "exit codes 5\n", stderr: "" });
});
