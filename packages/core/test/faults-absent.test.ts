/** Older runtimes, and runtimes with holes: what needs an entry point that is absent says so, the rest works. */
import { describe, expect, test } from "vitest";

import { entryPoints, entryPointsAfter } from "@cl/testing/fake-opencl/entry-points";
import { runFaultOnFake } from "./support/fault-on-fake.js";

async function versions(names: readonly string[]): Promise<string> {
  const all = await entryPoints();
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, all.get(name)])));
}

describe("a runtime of OpenCL", () => {
  test.each(["1.1", "1.2", "2.0", "2.1"] as const)(
    "%s: queues, markers and clones are made the older way; newer calls name the function and its version",
    async (version) => {
      const names = await entryPointsAfter(version);
      const { problems, notSupported, report } = await runFaultOnFake(
        "faults/absent.mjs",
        [await versions(names)],
        {},
        { version },
      );
      expect(problems).toEqual([]);
      expect(notSupported).not.toEqual([]);
      expect(report).toMatchObject({ misuse: 0, notes: [] });
      expect(report.liveInAll).toBe(0);
    },
    240_000,
  );
});

test("a runtime with holes anywhere is used as far as it goes", async () => {
  const absent = [
    "clCreateUserEvent",
    "clEnqueueMapBuffer",
    "clSetEventCallback",
    "clEnqueueCopyBuffer",
    "clCreateKernel",
  ];
  const { problems, notSupported } = await runFaultOnFake(
    "faults/absent.mjs",
    [await versions(absent)],
    {},
    { absent },
  );
  expect(problems).toEqual([]);
  expect(new Set(notSupported)).toEqual(new Set(absent));
}, 240_000);

test("a runtime that can release nothing is no reason to end the process", async () => {
  const absent = [...(await entryPoints()).keys()].filter((name) => name.startsWith("clRelease"));
  const { problems } = await runFaultOnFake("faults/absent.mjs", [await versions(absent)], {}, { absent });
  expect(problems).toEqual([]);
}, 240_000);
