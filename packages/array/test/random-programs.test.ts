/**
 * Random programs compared with NumPy: of operators, views, stores with aliases, two queues, promised masks, and reads at random
 * points. Arrays are computed when they are needed, or eagerly, or in a pool that holds a few of them. All values are exact.
 */
import { isDeepStrictEqual } from "node:util";

import { CommandQueue } from "@cl/core";
import { arrays, type Arrays, type ArraysOptions } from "@cl/array";
import { expect, test } from "vitest";
import { pooled } from "./support/pooled.js";

import { isFull, testSeed } from "@cl/testing/level";
import { context, queue } from "./support/device.js";
import { evalTexts, needsNumPy } from "./support/numpy-eval.js";
import { type Program, randomProgram, type Reading } from "./support/random-programs.js";

const otherQueue = new CommandQueue(context);
const outOfOrder = new CommandQueue(context, { outOfOrder: true });

function factories(second: CommandQueue, options: ArraysOptions = {}): readonly [Arrays, Arrays] {
  const xp = arrays(queue, options);
  return [xp, xp.withQueue(second)];
}

const ways = {
  lazy: () => factories(otherQueue),
  "lazy with an out-of-order queue": () => factories(outOfOrder),
  "lazy in a small pool": () => factories(otherQueue, { allocator: pooled(queue, 2 ** 18).pool }),
  eager: () => factories(otherQueue, { eager: true }),
} as const;

function expected({ python }: Program): readonly Reading[] {
  const [text] = evalTexts([`run(${JSON.stringify(python)})`]);
  return JSON.parse(text as string) as readonly Reading[];
}

/** Returns the ways in which a program's values differ from NumPy's. */
async function differencesOf(seed: number): Promise<readonly string[]> {
  const program = randomProgram(seed, 40);
  const right = expected(program);
  const found: string[] = [];
  for (const [way, make] of Object.entries(ways)) {
    const readings = await program.run(...make());
    const wrong = readings.flatMap((reading, k) => (isDeepStrictEqual(reading, right[k]) ? [] : [k]));
    if (wrong.length > 0) found.push(`seed ${seed}, ${way}, reads ${wrong.join()}:\n${program.python}`);
  }
  return found;
}

const seeds = Array.from({ length: isFull ? 16 : 1 }, (_, k) => testSeed(1) + k);

test.for(seeds)("program %i has NumPy's values", { tags: "ci" }, async (seed, run) => {
  needsNumPy(run);
  expect(await differencesOf(seed)).toEqual([]);
});
