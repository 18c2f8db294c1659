/**
 * Vitest's setup file, which runs before each test file. Fixes the seed of fast-check, and appends the CPU seconds of the test file
 * to the file `CL_TEST_TIMES`, if set, as lines of JSON. They include the child processes that it awaited. Requires Linux.
 */
import { appendFileSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { configureGlobal } from "fast-check";
import { afterAll, expect } from "vitest";

import { testSeed } from "./level.js";

configureGlobal({ seed: testSeed(1) });

const times = process.env["CL_TEST_TIMES"];
/** Clock ticks per second in `/proc`, the same on every Linux. */
const ticks = 100;
// In `globalThis`, because a process can run several test files, each with a new instance of this module.
const before = Symbol.for("@cl/testing/cpu-seconds");
const state = globalThis as { [before]?: number };

if (times !== undefined) {
  afterAll(() => {
    const seconds = cpuSeconds();
    const file = relative(process.cwd(), expect.getState().testPath ?? "");
    const used = Number((seconds - (state[before] ?? 0)).toFixed(2));
    appendFileSync(times, `${JSON.stringify({ file, seconds: used })}\n`);
    state[before] = seconds;
  });
}

/** Returns the CPU time of this process and of its child processes that have ended. */
function cpuSeconds(): number {
  const stat = readFileSync("/proc/self/stat", "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0) / ticks;
}
