/**
 * Calls every public function with every kind of wrong argument, generated from one valid call of each
 * (test/support/bad-input). "JavaScript must never be able to crash the process."
 */
import { describe, expect, test } from "vitest";

import { isFull } from "@cl/testing/level";
import { lastResult, runModule } from "@cl/testing/run-module";
import { runFaultOnFake } from "./support/fault-on-fake.js";

const script = "bad-input/run.mjs";
const file = new URL(`support/${script}`, import.meta.url);

test("the call table lists exactly the public functions", async () => {
  const { problems } = lastResult(await runModule({ file, args: ["surface"] })) as { problems: string[] };
  expect(problems).toEqual([]);
});

describe("a wrong argument", { tags: "ci" }, () => {
  test.each([0, 1, 2])(
    "throws an error that names it, never reaches the driver and leaks no handle (part %i)",
    async (part) => {
      const { made } = await runFaultOnFake(script, ["calls", String(part), "3"]);
      expect(made).toBeGreaterThan(3000);
    },
  );

  test("does not crash a real driver", async () => {
    const { made } = lastResult(await runModule({ file, args: ["sample", "0", isFull ? "16" : "64"] })) as {
      made: number;
    };
    expect(made).toBeGreaterThan(isFull ? 1000 : 300);
  }, 240_000);
});

test("methods, setters and getters throw on a wrong or released receiver", { tags: "ci" }, async () => {
  const { made } = await runFaultOnFake(script, ["selves"]);
  expect(made).toBeGreaterThan(2000);
});
