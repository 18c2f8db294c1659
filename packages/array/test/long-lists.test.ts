/** @module-tag ci */
import { expect, test } from "vitest";

import { lastResult, runModule } from "@cl/testing/run-module";

test("lists of 2^32 - 1 elements with holes are rejected at the first hole", async () => {
  const file = new URL("support/long-lists.mjs", import.meta.url);
  const { made } = lastResult(await runModule({ file, limit: 100_000 })) as { made: number };
  expect(made).toBeGreaterThan(35);
}, 120_000);
