import { expect, test } from "vitest";
import { runChild } from "./fixtures/child.js";

const ended = { code: 0, signal: null, hung: false, stderr: "" };

test.each([
  ["pending", "a pending promise keeps the process alive until it settles", "completed\n"],
  ["dropped", "an event without a wait does not keep the process alive", ""],
])("%s: %s", async (name, _, stdout) => {
  expect(await runChild("event-loop.mjs", { args: [name] })).toMatchObject({ ...ended, stdout });
});

test.each([
  ["callback", "a pending callback keeps the process alive until it has run", "called\n"],
  ["gated", "a marker on a user event that never completes does not keep the process alive without a wait", ""],
  ["idle", "objects alone do not keep the process alive", ""],
  ["settled", "the process ends after all promises have settled", "settled\n"],
  ["failed", "a promise of a failed event rejects and lets the process end", "rejected\n"],
  ["released", "a promise of a released user event rejects and lets the process end", "rejected\n"],
])("%s: %s", { tags: "ci" }, async (name, _, stdout) => {
  expect(await runChild("event-loop.mjs", { args: [name] })).toMatchObject({ ...ended, stdout });
});

test("a promise that never settles keeps the process alive", { tags: "ci" }, async () => {
  const end = await runChild("event-loop.mjs", { args: ["forever"], limit: 2000 });
  expect(end.hung).toBe(true);
});
