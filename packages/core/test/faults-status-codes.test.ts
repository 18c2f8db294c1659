/** Every OpenCL status from every routine that the package calls, on the fake driver. */
import { expect, test } from "vitest";

import { entryPoints } from "@cl/testing/fake-opencl/entry-points";
import { isFull } from "@cl/testing/level";
import { lastResult, runModule } from "@cl/testing/run-module";
import { runFaultOnFake } from "./support/fault-on-fake.js";

test("every status of every routine throws the right error and leaks no handle", { tags: "ci" }, async () => {
  const { made } = await runFaultOnFake("faults/status-codes.mjs");
  expect(made).toBeGreaterThan(isFull ? 6000 : 1000);
});

test("every routine that the native layer calls is tested", async () => {
  const source = `
    import { writeSync } from "node:fs";
    import { actions, releases, unused } from ${JSON.stringify(new URL("support/faults/actions.mjs", import.meta.url).href)};
    const names = [...Object.keys(actions), ...releases.map(([name]) => name)];
    writeSync(1, JSON.stringify({ names, unused: unused.source }));`;
  const { names, unused } = lastResult(await runModule({ source })) as { names: string[]; unused: string };
  const pattern = new RegExp(unused);
  const missing = [...(await entryPoints()).keys()].filter((name) => !names.includes(name) && !pattern.test(name));
  expect(missing).toEqual([]);
});

test("the native layer never calls the routine that aborts PoCL 3.1", async () => {
  expect([...(await entryPoints()).keys()]).not.toContain("clEnqueueWaitForEvents");
});
