/** Two devices in one context, in child processes: a platform's first two, or PoCL's CPU twice. */
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import path from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { getPlatforms } from "@cl/core";
import { expect, test } from "vitest";

import { needs } from "@cl/base/testing";
import { useCacheFolder } from "./support/cache-folder.js";
import { resultOfModule } from "./support/child.js";
import { context } from "./support/device.js";

useCacheFolder();
const [several] = getPlatforms().filter(({ devices }) => devices.length > 1);
const pocl = "Portable Computing Language";
const hasTwo = several !== undefined || context.devices.some(({ platform }) => platform.name === pocl);
const twoDevices: Record<string, string> =
  several === undefined
    ? { POCL_DEVICES: "pthread pthread", CL_DEVICE: `${pocl}:0,1` }
    : { CL_DEVICE: `${several.name}:0,1` };
/** Common start of the scripts. */
const start = `
  import { CommandQueue, Context, DeviceBuffer, Program } from "@cl/core";
  import { KernelLauncher, ListLauncher } from "@cl/launcher";
  const context = Context.create();
  const queues = context.devices.map((device) => new CommandQueue(context, { device, profiling: true }));
  const source = "__kernel void add(__global int *x, int a) { x[get_global_id(0)] += a; }";
  const program = await new Program(context, source).build();
  const x = DeviceBuffer.from(context, new Int32Array(64));`;

test("a list alternates between two devices with new parameters each time", async (run) => {
  needs(run, hasTwo, "there is only one device, and PoCL is not installed");
  const script = `${start}
    const one = new KernelLauncher("one", program, { args: [x], parameters: ["a"], global: 64 });
    const two = new KernelLauncher("two", program, { args: [x, 1], global: 64 });
    const list = new ListLauncher("list").push(one, new ListLauncher("inside").push(two, one));
    let before;
    for (let n = 1; n <= 10; n++) {
      const event = list.enqueue(queues[n % 2], { a: n }, { waitFor: before });
      before = event;
    }
    await before.wait();
    const table = list.parameterTable();
    table.values[0] = 100;
    for (const queue of queues) await table.enqueue(queue).wait();
    console.log(JSON.stringify({ devices: queues.length, x: [...(await queues[0].read(x))]}));`;
  const result = (await resultOfModule(script, twoDevices)) as { devices: number; x: number[] };
  expect(result.devices).toBe(2);
  expect(result.x).toEqual(Array.from({ length: 64 }, () => 2 * 55 + 10 + 2 * 200 + 2));
});

test("a list tuned on both devices can be launched on both", async (run) => {
  needs(run, hasTwo, "there is only one device, and PoCL is not installed");
  const script = `${start}
    const auto = new KernelLauncher("auto", program, { args: [x], parameters: ["a"], global: 64, local: "auto" });
    const list = new ListLauncher("list").push(auto);
    const tunings = [];
    for (const queue of queues) tunings.push((await list.tune(queue, { parameters: { a: 1 }, seconds: 0.02 }))[0].launcher);
    for (const queue of [...queues, ...queues]) await list.enqueue(queue, { a: 5 }).wait();
    console.log(JSON.stringify({ tunings, x: [...(await queues[1].read(x))] }));`;
  const result = await resultOfModule(script, twoDevices);
  expect(result).toEqual({ tunings: ["auto", "auto"], x: Array.from({ length: 64 }, () => 20) });
});

test("the common launcher tests pass on the second device", { tags: "full", timeout: 240_000 }, async (run) => {
  needs(run, hasTwo, "there is only one device, and PoCL is not installed");
  const vitest = path.join(path.dirname(createRequire(import.meta.url).resolve("vitest/package.json")), "vitest.mjs");
  const args = [vitest, "run", "--project=launcher", "--reporter=json", "describe-launcher"];
  const { VITEST: _, VITEST_WORKER_ID: _worker, VITEST_POOL_ID: _pool, ...env } = process.env;
  const child = spawn(process.execPath, args, {
    cwd: fileURLToPath(new URL("../../..", import.meta.url)),
    env: { ...env, ...twoDevices, NODE_OPTIONS: "" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const begin = out.indexOf('{"numTotalTestSuites"');
  expect(begin, `${out}\n${errors}`).toBeGreaterThanOrEqual(0);
  const report = JSON.parse(out.slice(begin, (out.indexOf("\n", begin) + 1 || out.length + 1) - 1)) as {
    readonly numPassedTests: number;
    readonly testResults: readonly { assertionResults: readonly { fullName: string; status: string }[] }[];
  };
  const all = report.testResults.flatMap(({ assertionResults }) => assertionResults);
  expect(all.filter(({ status }) => status === "failed").map(({ fullName }) => fullName)).toEqual([]);
  expect(report.numPassedTests).toBeGreaterThan(300);
});
