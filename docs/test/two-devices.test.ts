/** The numbers of examples/two-devices, and the distribution of the work. */
import { readFileSync } from "node:fs";

import { Context, type Device } from "@cl/core";
import { expect, test } from "vitest";

import { collatzOn } from "../../examples/two-devices/collatz.js";
import { type Processor, shareOut } from "../../examples/two-devices/share-out.js";
import { teamOf } from "../../examples/two-devices/team.js";
import { runExample } from "./support/run-example.js";

const { devices } = Context.create();
const [total, grain] = [2 ** 16, 2 ** 10];

test("shareOut() over devices computes the same steps as plain JavaScript", async () => {
  const machines = await Promise.all(
    teamOf([devices[0] as Device]).members.map((device) => collatzOn(device, total, grain)),
  );
  const steps = new Uint32Array(total);
  const shares = await shareOut(
    total,
    grain,
    machines.map((machine) => (first: number, count: number) => machine.run(steps, first, count)),
  );
  expect(steps).toEqual(Uint32Array.from({ length: total }, (_, i) => plainSteps(i + 1)));
  expect(shares.reduce((sum, { items }) => sum + items, 0)).toBe(total);
  expect(shares.every(({ blocks }) => blocks > 0)).toBe(true);
});

test.each([
  [1, 1],
  [1, 3],
  [10, 1],
  [4, 2, 1],
])("shareOut() gives processors with speeds %i : %i … proportional shares and each item once", async (...speeds) => {
  const { processors, done, ends } = simulation(speeds);
  const shares = await shareOut(total, 64, processors);
  expect(done.every((times) => times === 1)).toBe(true);
  const sum = speeds.reduce((a, b) => a + b);
  for (const [i, { items }] of shares.entries()) {
    expect(items / total / ((speeds[i] as number) / sum)).toBeCloseTo(1, 1);
  }
  // Each block is half of the share that is left, so later blocks correct a wrong estimate.
  expect(Math.min(...shares.map(({ blocks }) => blocks))).toBeGreaterThan(4);
  // No processor is idle for longer than the slowest takes for two grains.
  expect(Math.max(...ends) - Math.min(...ends)).toBeLessThanOrEqual((2 * 64) / Math.min(...speeds));
});

test("shareOut() processes every item when the total is no multiple of the grain", async () => {
  for (const items of [0, 1, 63, 64, 1000]) {
    const { processors, done } = simulation([1, 2]);
    const shares = await shareOut(items, 64, processors);
    expect(shares.reduce((sum, share) => sum + share.items, 0)).toBe(items);
    expect(done.reduce((a, b) => a + b)).toBe(items);
  }
});

test("shareOut() rejects when a processor fails, and the others take no new blocks", async () => {
  let blocks = 0;
  const good: Processor = async () => {
    blocks++;
    await new Promise(setImmediate);
    return 1;
  };
  const bad: Processor = () => Promise.reject(new Error("out of order"));
  await expect(shareOut(total, 64, [good, bad])).rejects.toThrow("out of order");
  expect(blocks).toBe(1);
});

test("teamOf() partitions a single device if possible, else uses it twice", () => {
  const [device] = devices as [Device];
  const { members, whole, description } = teamOf([device]);
  expect(members).toHaveLength(2);
  expect(whole).toBe(device);
  const partitioned = members.every((member) => member.parentDevice === device);
  expect(description).toMatch(
    partitioned
      ? /^one device, partitioned into \d+ and \d+ compute units: /
      : /^one device that cannot be partitioned, /,
  );
  const [part] = members as [Device];
  // A device with one compute unit cannot be partitioned.
  if (part.maxComputeUnits === 1) expect(teamOf([part]).members).toEqual([part, part]);
  expect(teamOf([device, part]).members).toEqual([device, part]);
});

test("the built example prints lines like those of its README", { tags: "ci" }, async () => {
  const lines = await runExample("two-devices");
  const readme = readFileSync(new URL("../../examples/two-devices/README.md", import.meta.url), "utf8");
  // The lines that are the same on each machine.
  for (const line of lines.slice(-2)) expect(readme).toContain(line);
  expect(lines[0]).toMatch(/^(one device|\d+ devices)/);
  expect(lines.join("\n")).toMatch(/\neach alone: [\d.]+ s and .*\ntogether: .*\nshares: \d+ % and \d+ %/);
});

function plainSteps(start: number): number {
  let [x, steps] = [start, 0];
  for (; x > 1; steps++) x = x % 2 === 1 ? 3 * x + 1 : x / 2;
  return steps;
}

/** Processors with the given speeds in items per second, on a simulated clock. */
function simulation(speeds: readonly number[]): {
  readonly processors: readonly Processor[];
  /** Number of times that each item was processed. */
  readonly done: Uint8Array;
  /** Time at which each processor finished its last block. */
  readonly ends: number[];
} {
  const done = new Uint8Array(total);
  const ends = speeds.map(() => 0);
  const running: { readonly end: number; readonly resolve: () => void }[] = [];
  const processors = speeds.map((speed, i) => async (first: number, count: number) => {
    for (let item = first; item < first + count; item++) done[item] = (done[item] as number) + 1;
    const end = (ends[i] as number) + count / speed;
    ends[i] = end;
    await new Promise<void>((resolve) => {
      running.push({ end, resolve });
      setImmediate(() => {
        running.sort((a, b) => a.end - b.end);
        running.shift()?.resolve();
      });
    });
    return count / speed;
  });
  return { processors, done, ends };
}
