/** Info strings and logs of 4 KiB and more, whose sizes must be queried first. */
import { expect, test } from "vitest";

import { buildFakeOpenCL } from "@cl/testing/fake-opencl/build";
import { lastResult, runModule } from "@cl/testing/run-module";

const source = `
  import { writeSync } from "node:fs";
  import { inspect } from "node:util";
  import { BuildError, Context, getPlatforms, Program } from "@cl/core";
  const [platform] = getPlatforms();
  const [device] = platform.devices;
  const context = new Context(device);
  const program = new Program(context, "__kernel void f(__global float *x) {}").buildSync({ cache: false });
  const lengths = [platform.name, platform.version, platform.vendor, device.name, device.vendor, device.version,
    device.driverVersion, program.log(device)].map((text) => text.length);
  process.env.FAKE_CL_BUILD = "fail";
  let failure;
  try { new Program(context, "__kernel void g() {}").buildSync({ cache: false }); } catch (error) { failure = error; }
  const log = failure instanceof BuildError ? failure.logs.get(device).length : -1;
  const printed = [inspect(platform), inspect(device), inspect(context)].map((text) => text.split("\\n").length);
  writeSync(1, JSON.stringify({ lengths: [...lengths, log], printed }));`;

test.each([4096, 4097, 65_536])("strings of %i bytes are not truncated", async (bytes) => {
  const env = { CL_LIBRARY_PATH: await buildFakeOpenCL(), FAKE_CL_LONG: String(bytes) };
  const { lengths, printed } = lastResult(await runModule({ source, env })) as Record<string, number[]>;
  for (const length of lengths as number[]) expect(length).toBeGreaterThan(bytes - 64);
  // Objects are printed on one line.
  expect(printed).toEqual([1, 1, 1]);
});
