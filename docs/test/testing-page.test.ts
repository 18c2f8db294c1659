/** Runs the suites that docs/testing.md shows, as a project of a user's would. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { afterAll, expect, test } from "vitest";

import { runSuite } from "../../packages/tools/test/support/run-suites.js";

// In here, so that "@cl/core" is what it is for the tests.
const folder = fileURLToPath(new URL("../build/testing-page/", import.meta.url));
const page = readFileSync(new URL("../testing.md", import.meta.url), "utf8");
const blocks = Array.from(page.matchAll(/^```typescript\n([^]*?)^```$/gm), ([, code]) => code as string);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("the suites on the page run", async () => {
  const suites = blocks.filter((code) => code.includes("describeDevices("));
  expect(suites.length).toBeGreaterThan(3);
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}page.suite.ts`, suites.join("\n"));
  const { outcomes } = await runSuite("page", {}, folder);
  expect(outcomes.filter(({ status }) => status !== "passed" && status !== "skipped")).toEqual([]);
  expect(outcomes.length).toBeGreaterThanOrEqual(suites.length);
});
