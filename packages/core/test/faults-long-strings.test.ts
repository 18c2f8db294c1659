/** Info strings and logs of 4 KiB and more, whose sizes must be queried first. */
import { expect, test } from "vitest";

import { buildFakeOpenCL } from "@cl/testing/fake-opencl/build";
import { lastResult, runModule } from "@cl/testing/run-module";

const source = `
  import { writeSync } from "node:fs";
  import { inspect } from "node:util";
  import { BuildError, Context, getPlatforms, Program, selectDevices } from "@cl/core";
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
  let selector = "";
  try { selectDevices("no such device"); } catch (error) { selector = error.name; }
  writeSync(1, JSON.stringify({ lengths, log, printed, selector, message: failure.message.length }));`;

test.each([4096, 4097, 65_536])(
  "strings of %i bytes are not truncated",
  async (bytes) => {
    const env = { CL_LIBRARY_PATH: await buildFakeOpenCL(), FAKE_CL_LONG: String(bytes) };
    const result = lastResult(await runModule({ source, env })) as {
      lengths: number[];
      log: number;
      printed: number[];
      selector: string;
      message: number;
    };
    for (const length of result.lengths) expect(length).toBeGreaterThan(bytes - 64);
    expect(result.log).toBeGreaterThan(bytes - 64);
    // Objects are printed on one line, and the error stays readable.
    expect(result.printed).toEqual([1, 1, 1]);
    expect(result.selector).toBe("RangeError");
  },
  240_000,
);
