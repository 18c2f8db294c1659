/** The host memory of asynchronous transfers that fail. Each case has a process of its own, whose memory is measured. */
import { expect, test } from "vitest";

import { runChild } from "./fixtures/child.js";

// The memory that is transferred is 320 MiB in each case.
test.each([
  ["read", "a read that fails"],
  ["write", "a write that fails"],
  ["copy", "a copy to the host that fails"],
  ["unheard", "a copy from the host that fails without a listener"],
  ["terminate", "writes of a worker that is terminated"],
])(
  "is freed after %s (%s)",
  async (kind) => {
    const { code, stdout, stderr } = await runChild("failed-transfer-memory.mjs", { args: [kind], limit: 220_000 });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(Number(stdout)).toBeLessThan(100);
  },
  240_000,
);
