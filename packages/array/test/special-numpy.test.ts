/**
 * Special functions compared with SciPy over wide ranges, for a fixed and a fresh seed. One kernel computes a group of
 * functions of the same numbers, which also tests fusing. See docs/arrays-special.md for the measured errors.
 */
import { expect, test } from "vitest";

import { needs } from "@cl/base/testing";
import { hasDoubles, queue } from "./support/device.js";
import { untriedSeed } from "./support/untried-seed.js";
import { testsEveryCase } from "@cl/testing/level";
import { hasSciPy, worstOf } from "./support/special-cases.js";
import { groups } from "./support/special-groups.js";

const everyCase = testsEveryCase(import.meta.url);

const fresh = 1 + untriedSeed();
const cases = groups.flatMap((group) => (["float64", "float32"] as const).map((type) => ({ ...group, group, type })));

test.for(cases)("$name of $type", { timeout: 240_000 }, async ({ group, type }, run) => {
  needs(run, hasSciPy, "SciPy is not installed");
  needs(run, type === "float32" || hasDoubles, `'${queue.device.name}' has no float64`);
  for (const seed of everyCase ? [12_345, fresh] : [12_345]) {
    const worst = await worstOf(group, type, seed);
    const faults = worst.filter(({ error, limit }) => !(error <= limit));
    expect(
      faults.map(({ name, error, at }) => `${name}: ${error} at ${at}`),
      `the seed ${seed}`,
    ).toEqual([]);
  }
});
