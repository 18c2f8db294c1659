/** The numbers of examples/two-devices, and who does how much of the work. */
import { readFileSync } from "node:fs";

import { Context, type Device } from "@cl/core";
import { expect, test } from "vitest";

import { collatzOn } from "../../examples/two-devices/collatz.js";
import { type Processor, shareOut } from "../../examples/two-devices/share-out.js";
import { teamOf } from "../../examples/two-devices/team.js";
import { runExample } from "./support/run-example.js";

const { devices } = Context.create();
const [total, grain] = [2 ** 16, 2 ** 10];

test("all steps are those of plain JavaScript, whoever computed them", async () => {
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
])("processors with speeds %i : %i … do shares like them, and each item is done once", async (...speeds) => {
  const { processors, done, ends } = simulation(speeds);
  const shares = await shareOut(total, 64, processors);
  expect(done.every((times) => times === 1)).toBe(true);
  const sum = speeds.reduce((a, b) => a + b);
  for (const [i, { items }] of shares.entries()) {
    expect(items / total / ((speeds[i] as number) / sum)).toBeCloseTo(1, 1);
  }
  // Half of what is left each time: a guess that is wrong is made good by the blocks after it.
  expect(Math.min(...shares.map(({ blocks }) => blocks))).toBeGreaterThan(4);
  // None is idle for longer than the slowest needs for a few grains.
  expect(Math.max(...ends) - Math.min(...ends)).toBeLessThanOrEqual((2 * 64) / Math.min(...speeds));
});

test("work that is less than a grain, or no whole number of them, is done to the last item", async () => {
  for (const items of [0, 1, 63, 64, 1000]) {
    const { processors, done } = simulation([1, 2]);
    const shares = await shareOut(items, 64, processors);
    expect(shares.reduce((sum, share) => sum + share.items, 0)).toBe(items);
    expect(done.reduce((a, b) => a + b)).toBe(items);
  }
});

test("a processor that fails takes the work along, and the others take no new blocks", async () => {
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

test("one device is cut in two if it can be, else it has two queues", () => {
  const [device] = devices as [Device];
  const { members, whole, about } = teamOf([device]);
  expect(members).toHaveLength(2);
  expect(whole).toBe(device);
  const cut = members.every((member) => member.parentDevice === device);
  expect(about).toMatch(
    cut ? /^one device, cut into parts of \d+ and \d+ units: / : /^one device that cannot be cut, /,
  );
  const [part] = members as [Device];
  // A part of one unit cannot be cut once more.
  if (part.maxComputeUnits === 1) expect(teamOf([part]).members).toEqual([part, part]);
  expect(teamOf([device, part]).members).toEqual([device, part]);
});

test("the built example prints lines like those of its README", async () => {
  const lines = await runExample("two-devices");
  const readme = readFileSync(new URL("../../examples/two-devices/README.md", import.meta.url), "utf8");
  // What is the same on each machine.
  for (const line of lines.slice(-2)) expect(readme).toContain(line);
  expect(lines[0]).toMatch(/^(one device|\d+ devices)/);
  expect(lines.join("\n")).toMatch(
    /\neach alone takes [\d.]+ s and .*\ntogether they take .*\nthey did \d+ % and \d+ %/,
  );
});

function plainSteps(start: number): number {
  let [x, steps] = [start, 0];
  for (; x > 1; steps++) x = x % 2 === 1 ? 3 * x + 1 : x / 2;
  return steps;
}

/** Processors that do so many items in a second, on a clock that goes as fast as they can be asked. */
function simulation(speeds: readonly number[]): {
  readonly processors: readonly Processor[];
  /** How many times each item was done. */
  readonly done: Uint8Array;
  /** When each processor was last done. */
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
