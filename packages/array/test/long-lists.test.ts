import { beforeEach, expect, test } from "vitest";

import { lastResult, runFault } from "../../core/test/support/fault-child.js";
import { needsMoreThanQuick, sameBundle } from "../../core/test/support/needs.js";

beforeEach((run) => needsMoreThanQuick(run, sameBundle));

test("lists of 2^32 - 1 elements with holes are rejected at the first hole", async () => {
  const file = new URL("support/long-lists.mjs", import.meta.url).href;
  const { made } = lastResult(await runFault({ file, limit: 100_000 })) as { made: number };
  expect(made).toBeGreaterThan(35);
}, 120_000);
