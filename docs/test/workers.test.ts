/** The numbers of examples/workers: orbits whose periods are known. */
import { readFileSync } from "node:fs";

import { CommandQueue, Context } from "@cl/core";
import { sample } from "@cl/testing/level";
import { expect, test } from "vitest";

import { newSweep, takePart } from "../../examples/workers/sweep.js";
import { runExample } from "./support/run-example.js";

const context = Context.create();

const periods = [
  [3.55, 8],
  [2.85, 1],
  [3.2, 2],
  [3.7385, 5],
  [3.9, 0],
] as const;
test.each(sample(periods, 2))("rates around %d have the period %i", async (rate, period) => {
  const sweep = newSweep(rate - 1e-5, rate + 1e-5, 20, 1);
  await takePart(new CommandQueue(context), sweep, 0);
  expect([...sweep.periods]).toEqual(Array.from({ length: 20 }, () => period));
});

test("the periods do not depend on the number of threads", { tags: "ci" }, async () => {
  const count = 10_000;
  const sweeps = [1, 3].map((threads) => newSweep(2.8, 4, count, threads));
  for (const sweep of sweeps) {
    await Promise.all(Array.from(sweep.done, (_, thread) => part(thread)));
    expect(sweep.done.reduce((a, b) => a + b)).toBe(count);
    async function part(thread: number): Promise<void> {
      await takePart(new CommandQueue(context), sweep, thread);
    }
  }
  expect(sweeps[1]?.periods).toEqual(sweeps[0]?.periods);
  expect(sweeps[0]?.periods.filter((period) => period === 0).length).toBeGreaterThan(count / 5);
});

test(
  "the built example starts its threads, reports progress and prints what its README shows",
  { tags: "ci" },
  async () => {
    const lines = await runExample("workers");
    const readme = readFileSync(new URL("../../examples/workers/README.md", import.meta.url), "utf8");
    for (const line of lines.slice(-4)) expect(readme).toContain(line);
    const done = /^(\d) threads computed ([\d and]+) rates$/.exec(lines.at(-6) as string);
    const parts = done?.[2]?.split(" and ").map(Number) ?? [];
    expect(parts).toHaveLength(Number(done?.[1]));
    expect(parts.reduce((a, b) => a + b)).toBe(60_000);
    expect(lines.at(-5)).toMatch(/^meanwhile the main thread ticked [1-9]\d* times, at most \d+ ms apart/);
    expect(lines.at(-7)).toMatch(/^100 % after/);
  },
);
