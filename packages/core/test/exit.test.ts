import { describe, expect, test } from "vitest";
import { runChild } from "./fixtures/child.js";

/** Milliseconds: much more than a process needs, much less than the work would take. */
const limit = 60_000;

describe.each([
  ["gated", "markers that wait for a user event"],
  ["releasedGate", "markers that wait for a released user event"],
  ["awaited", "a promise of a gated marker"],
  ["finishing", "a running finish()"],
  ["hostFunction", "queued host functions"],
  ["runningHostFunction", "a host function that never ends"],
  ["kernels", "kernels on the device"],
  ["finishingKernels", "a running finish() over kernels"],
  ["building", "asynchronous builds"],
])("with %s in flight (%s)", (work) => {
  test.each([
    ["exit", 7],
    ["exitFromTimer", 7],
    ["exitFromHandler", 7],
    ["throw", 1],
    ["reject", 1],
  ])("a process ends by %s with code %i", { tags: "full" }, async (ending, code) => {
    const end = await runChild("exit.mjs", { args: [work, ending], limit });
    expect(end).toMatchObject({ code, signal: null, hung: false });
    if (code === 1) expect(end.stderr).toContain("on purpose");
    else expect(end.stderr).toBe("");
  });

  test("SIGTERM ends the process", { tags: "ci" }, async () => {
    const end = await runChild("exit.mjs", { args: [work, "signal"], limit, signalWhenReady: "SIGTERM" });
    expect(end).toMatchObject({ signal: "SIGTERM", hung: false });
  });
});

test.each(["gated", "releasedGate", "kernels", "finishingKernels", "building"])(
  "with %s in flight a process ends naturally with code 0 if no promise is awaited",
  { tags: "ci" },
  async (work) => {
    const end = await runChild("exit.mjs", { args: [work, "natural"], limit });
    expect(end).toMatchObject({ code: 0, signal: null, hung: false, stderr: "" });
  },
);

test("a host function that never ends keeps the process alive", { tags: "ci" }, async () => {
  const end = await runChild("exit.mjs", { args: ["runningHostFunction", "natural"], limit: 2000 });
  expect(end).toMatchObject({ hung: true });
});

test("a process ends naturally only after its host functions have run", async () => {
  const end = await runChild("host-function-alive.mjs", { limit });
  expect(end).toMatchObject({ code: 0, hung: false, stdout: "first\nsecond\n", stderr: "" });
});
