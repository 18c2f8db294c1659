import { expect, test } from "vitest";
import { runChild } from "./fixtures/child.js";

test.each([
  ["pending", "a pending promise keeps the process alive until it settles", "completed\n"],
  ["callback", "a pending callback keeps the process alive until it has run", "called\n"],
  ["dropped", "an event without a wait does not keep the process alive", ""],
  ["gated", "a marker on a user event that never completes does not keep the process alive without a wait", ""],
  ["idle", "objects alone do not keep the process alive", ""],
  ["settled", "the process ends after all promises have settled", "settled\n"],
  ["failed", "a promise of a failed event rejects and lets the process end", "rejected\n"],
  ["released", "a promise of a released user event rejects and lets the process end", "rejected\n"],
])("%s: %s", async (name, _, stdout) => {
  const end = await runChild("event-loop.mjs", { args: [name] });
  expect(end).toMatchObject({ code: 0, signal: null, hung: false, stdout, stderr: "" });
});

test("a promise that never settles keeps the process alive", async () => {
  const end = await runChild("event-loop.mjs", { args: ["forever"], limit: 2000 });
  expect(end.hung).toBe(true);
});

test("importing the package opens nothing and does not keep the process alive", async () => {
  const end = await runChild("event-loop.mjs", {
    args: ["import"],
    env: { CL_LIBRARY_PATH: "/nonexistent/libOpenCL.so" },
  });
  expect(end).toMatchObject({ code: 0, hung: false, stdout: "imported\n", stderr: "" });
});
