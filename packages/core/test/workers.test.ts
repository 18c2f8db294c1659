import { expect, test } from "vitest";

import { isFull } from "@cl/testing/level";
import { type ChildEnd, runChild } from "./fixtures/child.js";

/** Runs eight workers that use OpenCL concurrently, and checks that none hangs or crashes. */
async function run(args: readonly string[], code = 0): Promise<ChildEnd> {
  const end = await runChild("workers.mjs", { args, limit: 100_000 });
  expect(end.stdout, end.trace).not.toMatch(/hung/);
  expect(end, end.trace).toMatchObject({ code, signal: null, hung: false, stderr: "" });
  return end;
}

test("eight workers use OpenCL concurrently, and exit normally with pending work", async () => {
  expect((await run(["complete", isFull ? "20" : "2"])).stdout).toBe("exit codes 0\n");
});

test(
  "eight workers that are repeatedly terminated at random moments neither crash nor hang",
  { tags: "ci" },
  async () => {
    const end = await run(["terminate", "30", isFull ? "10000" : "2000"]);
    expect(end.stdout, end.trace).toMatch(/^terminated \d+ workers after \d+ rounds of work\n$/);
  },
);

test("the process may exit while workers work", { tags: "ci" }, async () => {
  expect((await run(["exit"], 7)).stdout).toBe("");
});

test("a worker that calls process.exit with pending work ends only itself", { tags: "ci" }, async () => {
  expect((await run(["selfExit", "2"])).stdout).toBe("exit codes 5\n");
});
