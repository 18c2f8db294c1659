/**
 * Special functions compared with SciPy over wide ranges. One kernel computes a group of
 * functions of the same numbers, which also tests fusing. See docs/arrays-special.md for the measured errors.
 */
import { expect, test } from "vitest";

import { needs } from "@cl/base/testing";
import { hasDoubles, queue } from "./support/device.js";
import { sample, testSeed, testsEveryCase } from "@cl/testing/level";
import { hasSciPy, worstOf } from "./support/special-cases.js";
import { groups } from "./support/special-groups.js";

const cases = groups.flatMap((group) => (["float64", "float32"] as const).map((type) => ({ ...group, group, type })));

const seeds = testsEveryCase ? [12_345, 1 + testSeed(20_261_121)] : [12_345];

test.for(sample(cases, 2))("$name of $type", { tags: "ci" }, async ({ group, type }, run) => {
  needs(run, hasSciPy, "SciPy is not installed");
  needs(run, type === "float32" || hasDoubles, `'${queue.device.name}' has no float64`);
  for (const seed of seeds) {
    const worst = await worstOf(group, type, seed);
    expect(worst.filter(({ error, limit }) => !(error <= limit))).toEqual([]);
  }
});
