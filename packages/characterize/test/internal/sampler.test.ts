import { OpenCLError } from "@cl/core";
import { expect, test } from "vitest";

import { type Probe, sampleAll, type SamplerEnvironment } from "../../src/measure/sampler.js";

/** A simulated clock. */
function world(): SamplerEnvironment & { pass(seconds: number): number; readonly turns: [string, number, number][] } {
  let time = 0;
  const turns: [string, number, number][] = [];
  return {
    now: () => time,
    yieldToEventLoop: () => Promise.resolve(),
    onTurn: (...args) => void turns.push(args),
    turns,
    pass: (seconds) => {
      time += seconds;
      return seconds;
    },
  };
}

/** A probe with a fixed time per repetition, and a longer first one. */
function probe(name: string, around: ReturnType<typeof world>, seconds: number, calls: [string, number][]): Probe {
  let first = true;
  return {
    name,
    run(count) {
      calls.push([name, count]);
      const start = first ? 5 : 0;
      first = false;
      return around.pass(start + count * seconds);
    },
  };
}

const refuse = (status: number): OpenCLError => new OpenCLError("CL_OUT_OF_RESOURCES", status, "clFinish", "no\nmore");

test("the number of repetitions fills a turn, and the first run is ignored", async () => {
  const around = world();
  const calls: [string, number][] = [];
  const one = probe("one", around, 0.001, calls);
  const { samples: taken, failures: refused } = await sampleAll([one], { rounds: 4, turn: 0.1 }, around);
  expect(calls.map(([, count]) => count)).toEqual([1, 1, 10, 100, 100, 100, 100, 100]);
  expect(taken.get(one)).toHaveLength(4);
  for (const sample of taken.get(one) ?? []) expect(sample).toBeCloseTo(0.001, 12);
  expect(refused).toEqual([]);
});

test("a probe longer than a turn runs once per turn", async () => {
  const around = world();
  const calls: [string, number][] = [];
  const { samples: taken } = await sampleAll([probe("slow", around, 3, calls)], { rounds: 2, turn: 0.1 }, around);
  expect(calls.map(([, count]) => count)).toEqual([1, 1, 1, 1]);
  expect([...taken.values()]).toEqual([[3, 3]]);
});

test("the number of repetitions is limited if the clock does not advance", async () => {
  const around = world();
  const calls: [string, number][] = [];
  const { samples: taken, failures: refused } = await sampleAll(
    [probe("none", around, 0, calls)],
    { rounds: 2, turn: 0.1 },
    around,
  );
  expect(Math.max(...calls.map(([, count]) => count))).toBe(1_000_000);
  expect(taken.size).toBe(0);
  expect(refused).toEqual(["none: too short for the resolution of the clock"]);
});

test("a probe's limit of repetitions is respected", async () => {
  const around = world();
  const calls: [string, number][] = [];
  const limited = { ...probe("few", around, 1e-6, calls), maxCount: 7 };
  await sampleAll([limited], { rounds: 1, turn: 0.1 }, around);
  expect(Math.max(...calls.map(([, count]) => count))).toBe(7);
});

test("probes are interleaved, and each round starts with a different one", async () => {
  const around = world();
  const calls: [string, number][] = [];
  const probes = ["a", "b", "c"].map((name) => probe(name, around, 1, calls));
  await sampleAll(probes, { rounds: 4, turn: 1 }, around);
  const names = calls.map(([name]) => name).join("");
  expect(names).toBe(["aabbcc", "abc", "bca", "cab", "abc"].join(""));
  expect(around.turns.map(([, done]) => done)).toEqual(Array.from({ length: 15 }, (_, i) => i + 1));
  expect(around.turns.every(([, , of]) => of === 15)).toBe(true);
});

test("a probe that the device rejects at any time is skipped and noted with the error's first line", async () => {
  const around = world();
  const calls: [string, number][] = [];
  const good = probe("good", around, 1, calls);
  const atOnce: Probe = { name: "first", run: () => Promise.reject(refuse(-5)) };
  let left = 3;
  const later: Probe = {
    name: "later",
    run: (count) => (left-- > 0 ? around.pass(count) : Promise.reject(refuse(-5))),
  };
  const { samples: taken, failures: refused } = await sampleAll([atOnce, good, later], { rounds: 3, turn: 1 }, around);
  expect([...taken.keys()]).toEqual([good]);
  expect(refused).toEqual(["first: no", "later: no"]);
  expect(around.turns.at(-1)?.slice(1)).toEqual([12, 12]);
});

test("throws if all probes are rejected, or for other errors", async () => {
  const around = world();
  const failing = (error: Error): Probe => ({
    name: "failing",
    run: () => {
      throw error;
    },
  });
  const refused = refuse(-5);
  const all = [failing(refused), failing(refuse(-6))];
  await expect(sampleAll(all, { rounds: 1, turn: 1 }, around)).rejects.toBe(refused);
  const mistake = new TypeError("a mistake");
  const good = probe("good", around, 1, []);
  await expect(sampleAll([good, failing(mistake)], { rounds: 1, turn: 1 }, around)).rejects.toBe(mistake);
});
