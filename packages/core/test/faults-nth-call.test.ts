/** Runs a scenario repeatedly, with a fault at its first driver call, its second, and so on. */
import { expect, test, type TestOptions } from "vitest";

import { runFaultOnFake } from "./support/fault-on-fake.js";

const failures = {
  "*@=-6": "CL_OUT_OF_HOST_MEMORY at the n-th call",
  "*@=-5": "CL_OUT_OF_RESOURCES at the n-th call",
  "*@+=-6": "CL_OUT_OF_HOST_MEMORY from the n-th call on, including releases",
  "*@+=-36": "CL_INVALID_COMMAND_QUEUE from the n-th call on",
};
type Rule = keyof typeof failures;

/** Tests a scenario of support/faults with each rule. `least` is the least number of calls that it makes. */
function testScenario(scenario: string, least: number, options: TestOptions, rules: readonly Rule[]): void {
  const title = `no crash and no leak in ${scenario}, with`;
  test.each(rules.map((rule) => [failures[rule], rule]))(`${title} %s`, options, async (_, rule) => {
    const args = scenario === "all commands" ? [rule] : [rule, "2000", scenario];
    const { made } = await runFaultOnFake("faults/nth-call.mjs", args);
    expect(made).toBeGreaterThan(least);
  });
}

// Each takes up to half a minute.
testScenario("all commands", 200, { tags: "full" }, ["*@=-6", "*@=-5", "*@+=-6", "*@+=-36"]);
// Semaphores, external memory, command buffers and pipes.
testScenario("interop", 100, { tags: "ci" }, ["*@=-6", "*@+=-36"]);
testScenario("lending", 60, { tags: "ci" }, ["*@=-6", "*@+=-36"]);
testScenario("statistics", 60, { tags: "ci" }, ["*@=-6", "*@+=-36"]);

test("exhausted memory throws an OutOfMemoryError, and the process continues", async () => {
  const { made } = await runFaultOnFake("faults/memory.mjs", [], { FAKE_CL_MEMORY: "65536" });
  expect(made).toBe(3);
});
