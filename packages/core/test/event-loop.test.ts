import { expect, test } from "vitest";
import { runChild } from "./fixtures/child.js";

test.each([
  ["pending", "a promise that is pending keeps the process alive until it is settled", "completed\n"],
  ["callback", "a callback that has not come keeps the process alive until it comes", "called\n"],
  ["dropped", "an event that nobody awaits does not keep the process alive", ""],
  ["gated", "a marker on a user event that is never completed, without a promise, does not keep it alive", ""],
  ["idle", "objects alone do not keep it alive", ""],
  ["settled", "after everything has settled nothing keeps it alive", "settled\n"],
  ["failed", "a promise of something that failed is settled, and lets the process end", "rejected\n"],
  ["released", "a promise of a user event that was released is settled, and lets the process end", "rejected\n"],
])("%s: %s", async (name, _, stdout) => {
  const end = await runChild("event-loop.mjs", { args: [name] });
  expect(end).toMatchObject({ code: 0, signal: null, hung: false, stdout, stderr: "" });
});

test("a promise that nothing will settle keeps the process alive", async () => {
  const end = await runChild("event-loop.mjs", { args: ["forever"], limit: 2000 });
  expect(end.hung).toBe(true);
});

test("the package can be imported without anything being opened or keeping the process alive", async () => {
  const end = await runChild("event-loop.mjs", {
    args: ["import"],
    env: { CL_LIBRARY_PATH: "/nonexistent/libOpenCL.so" },
  });
  expect(end).toMatchObject({ code: 0, hung: false, stdout: "imported\n", stderr: "" });
});
