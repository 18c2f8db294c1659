/** A run through everything, with a fault at its first driver call, its second, and so on. */
import { beforeAll, beforeEach, expect, test } from "vitest";

import { buildFakeOpenCL } from "@cl/testing/fake-opencl/build";
import { runFaultOnFake } from "./support/fault-on-fake.js";
import { needsFullExcept } from "@cl/testing/level";

const quick = [
  "the same with semaphores, external memory, command buffers and pipes (*@=-6)",
  "the same with memory that is lent (*@=-6)",
  "the same with commands that are counted (*@=-6)",
  "memory that is used up is an OutOfMemoryError, and the process goes on",
];
beforeEach((run) => needsFullExcept(run, quick));

beforeAll(async () => {
  await buildFakeOpenCL();
}, 240_000);

test.each([
  ["no host memory at the n-th call", "*@=-6"],
  ["no resources at the n-th call", "*@=-5"],
  ["no memory at the n-th call and at all that follow, releases too", "*@+=-6"],
  ["a lost device from the n-th call on", "*@+=-36"],
])(
  "%s: an error or success, never a crash, and nothing is left behind",
  async (_, rule) => {
    const { made, problems, report } = await runFaultOnFake("faults/nth-call.mjs", [rule]);
    expect(problems).toEqual([]);
    expect(made).toBeGreaterThan(200);
    expect(report).toMatchObject({ misuse: 0, notes: [] });
    expect(report.liveInAll).toBe(0);
  },
  240_000,
);

test.each(["*@=-6", "*@+=-36"])(
  "the same with semaphores, external memory, command buffers and pipes (%s)",
  async (rule) => {
    const { made, problems, report } = await runFaultOnFake("faults/nth-call.mjs", [rule, "2000", "interop"]);
    expect(problems).toEqual([]);
    expect(made).toBeGreaterThan(100);
    expect(report).toMatchObject({ misuse: 0, notes: [] });
    expect(report.liveInAll).toBe(0);
  },
  240_000,
);

test.each(["*@=-6", "*@=-5", "*@+=-36"])(
  "the same with memory that is lent (%s)",
  async (rule) => {
    const { made, problems, report } = await runFaultOnFake("faults/nth-call.mjs", [rule, "2000", "lending"]);
    expect(problems).toEqual([]);
    expect(made).toBeGreaterThan(60);
    expect(report).toMatchObject({ misuse: 0, notes: [] });
    expect(report.liveInAll).toBe(0);
  },
  240_000,
);

test.each(["*@=-6", "*@=-5", "*@+=-36"])(
  "the same with commands that are counted (%s)",
  async (rule) => {
    const { made, problems, report } = await runFaultOnFake("faults/nth-call.mjs", [rule, "2000", "statistics"]);
    expect(problems).toEqual([]);
    expect(made).toBeGreaterThan(60);
    expect(report).toMatchObject({ misuse: 0, notes: [] });
    expect(report.liveInAll).toBe(0);
  },
  240_000,
);

test("memory that is used up is an OutOfMemoryError, and the process goes on", async () => {
  const { problems } = await runFaultOnFake("faults/memory.mjs", [], { FAKE_CL_MEMORY: "65536" });
  expect(problems).toEqual([]);
});
