/** Runs a scenario repeatedly, with a fault at its first driver call, its second, and so on. */
import { beforeAll, beforeEach, expect, test } from "vitest";

import { buildFakeOpenCL } from "@cl/testing/fake-opencl/build";
import { runFaultOnFake } from "./support/fault-on-fake.js";
import { drawn } from "@cl/testing/drawn";
import { needsFullExcept } from "@cl/testing/level";

const quick = [
  "semaphores, external memory, command buffers and pipes: no crash and no leak (*@=-6)",
  "borrowed memory: no crash and no leak (*@=-6)",
  "command statistics: no crash and no leak (*@=-6)",
  "exhausted memory throws an OutOfMemoryError, and the process continues",
];
beforeEach((run) => needsFullExcept(run, quick));

beforeAll(async () => {
  await buildFakeOpenCL();
}, 240_000);

// Each takes up to half a minute, so in CI the commit draws one of each kind.
test.each(
  drawn([
    ["CL_OUT_OF_HOST_MEMORY at the n-th call", "*@=-6"],
    ["CL_OUT_OF_RESOURCES at the n-th call", "*@=-5"],
    ["CL_OUT_OF_HOST_MEMORY from the n-th call on, including releases", "*@+=-6"],
    ["CL_INVALID_COMMAND_QUEUE from the n-th call on", "*@+=-36"],
  ]),
)(
  "%s: no crash and no leak",
  async (_, rule) => {
    const { made, problems, report } = await runFaultOnFake("faults/nth-call.mjs", [rule]);
    expect(problems).toEqual([]);
    expect(made).toBeGreaterThan(200);
    expect(report).toMatchObject({ misuse: 0, notes: [] });
    expect(report.liveInAll).toBe(0);
  },
  240_000,
);

test.each(drawn(["*@=-6", "*@+=-36"]))(
  "semaphores, external memory, command buffers and pipes: no crash and no leak (%s)",
  async (rule) => {
    const { made, problems, report } = await runFaultOnFake("faults/nth-call.mjs", [rule, "2000", "interop"]);
    expect(problems).toEqual([]);
    expect(made).toBeGreaterThan(100);
    expect(report).toMatchObject({ misuse: 0, notes: [] });
    expect(report.liveInAll).toBe(0);
  },
  240_000,
);

test.each(drawn(["*@=-6", "*@=-5", "*@+=-36"]))(
  "borrowed memory: no crash and no leak (%s)",
  async (rule) => {
    const { made, problems, report } = await runFaultOnFake("faults/nth-call.mjs", [rule, "2000", "lending"]);
    expect(problems).toEqual([]);
    expect(made).toBeGreaterThan(60);
    expect(report).toMatchObject({ misuse: 0, notes: [] });
    expect(report.liveInAll).toBe(0);
  },
  240_000,
);

test.each(drawn(["*@=-6", "*@=-5", "*@+=-36"]))(
  "command statistics: no crash and no leak (%s)",
  async (rule) => {
    const { made, problems, report } = await runFaultOnFake("faults/nth-call.mjs", [rule, "2000", "statistics"]);
    expect(problems).toEqual([]);
    expect(made).toBeGreaterThan(60);
    expect(report).toMatchObject({ misuse: 0, notes: [] });
    expect(report.liveInAll).toBe(0);
  },
  240_000,
);

test("exhausted memory throws an OutOfMemoryError, and the process continues", async () => {
  const { problems } = await runFaultOnFake("faults/memory.mjs", [], { FAKE_CL_MEMORY: "65536" });
  expect(problems).toEqual([]);
});
