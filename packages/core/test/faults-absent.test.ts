/** Runtimes that are older or incomplete: calls that need a missing entry point name it, and the others work. */
import { expect, test } from "vitest";

import { entryPoints, entryPointsAfter } from "@cl/testing/fake-opencl/entry-points";
import { runFaultOnFake } from "./support/fault-on-fake.js";

async function versions(names: readonly string[]): Promise<string> {
  const all = await entryPoints();
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, all.get(name)])));
}

test.each(["1.1", "1.2", "2.0", "2.1"] as const)(
  "a runtime of version %s uses older functions for queues, markers and clones, and names those that newer calls need",
  { tags: "ci" },
  async (version) => {
    const names = await entryPointsAfter(version);
    const { notSupported } = await runFaultOnFake("faults/absent.mjs", [await versions(names)], {}, { version });
    expect(notSupported).not.toEqual([]);
  },
);

test("a runtime without arbitrary entry points works except for the calls that need them", async () => {
  const absent = "clCreateUserEvent clEnqueueMapBuffer clSetEventCallback clEnqueueCopyBuffer clCreateKernel".split(
    " ",
  );
  const args = [await versions(absent)];
  const { notSupported } = await runFaultOnFake("faults/absent.mjs", args, {}, { absent, canLeak: true });
  expect(new Set(notSupported)).toEqual(new Set(absent));
});

test("a runtime without release functions does not end the process", { tags: "ci" }, async () => {
  const absent = [...(await entryPoints()).keys()].filter((name) => name.startsWith("clRelease"));
  const options = { absent, canLeak: true };
  const { made } = await runFaultOnFake("faults/absent.mjs", [await versions(absent)], {}, options);
  expect(made).toBeGreaterThan(100);
});
