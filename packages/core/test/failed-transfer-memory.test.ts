/**
 * Host memory of asynchronous transfers that fail, measured in a separate process for each case.
 *
 * @module-tag ci
 */
import { expect, test } from "vitest";

import { runChild } from "./fixtures/child.js";

// Each case transfers 320 MiB in total.
test.each([
  ["read", "a read that fails"],
  ["write", "a write that fails"],
  ["copy", "a copy to the host that fails"],
  ["unheard", "a copy from the host that fails without a listener"],
  ["terminate", "writes of a worker that is terminated"],
])("host memory is freed after %s (%s)", async (kind) => {
  const { code, stdout, stderr } = await runChild("failed-transfer-memory.mjs", { args: [kind], limit: 220_000 });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(Number(stdout)).toBeLessThan(100);
});
