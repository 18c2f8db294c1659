/**
 * Several processes that use a device concurrently.
 *
 * @module-tag ci
 */
import { testsEveryCase } from "@cl/testing/level";
import { expect, test } from "vitest";

import { runChild } from "./fixtures/child.js";

const rounds = testsEveryCase ? 200 : 25;

// Fewer processes rarely reproduce NVIDIA's list that was freed too early (native/objects/driver_lists.h).
test("six processes compute the same results on a device, and exit", async () => {
  const processes = Array.from({ length: 6 }, () =>
    runChild("several-processes.mjs", { args: [String(rounds)], limit: 200_000 }),
  );
  for (const end of await Promise.all(processes)) {
    expect(end, end.trace).toMatchObject({ code: 0, signal: null, hung: false, stdout: "right", stderr: "" });
  }
});
