/** No OpenCL library, a broken one, or no platforms or devices: each has its own error, and importing loads nothing. */
import { describe, expect, test } from "vitest";

import { buildFakeOpenCL } from "@cl/testing/fake-opencl/build";
import { lastResult, runModule } from "@cl/testing/run-module";

interface Told {
  readonly name: string;
  readonly code: string;
  readonly message: string;
  readonly tried: readonly string[];
}

const nowhere = "/nonexistent/libOpenCL.so";

/** Returns the error thrown by the first use of OpenCL. */
async function firstUse(env: Readonly<Record<string, string | undefined>>, use = "Context.create()"): Promise<Told> {
  const source = `
    import { writeSync } from "node:fs";
    import { Context, getPlatforms, NoRuntimeError, selectDevices } from "@cl/core";
    try {
      ${use};
      writeSync(1, JSON.stringify({ name: "nothing was thrown" }));
    } catch (error) {
      if (!(error instanceof NoRuntimeError)) throw error;
      const { name, code, message, tried } = error;
      writeSync(1, JSON.stringify({ name, code, message, tried }));
    }`;
  return lastResult(await runModule({ source, env: { CL_DEVICE: undefined, ...env } })) as Told;
}

// no-runtime.test.ts has libraries without platforms or devices.
describe("the first use throws a NoRuntimeError", () => {
  test.each([
    ["missing", nowhere, /cannot open shared object file/],
    ["a text file", new URL(import.meta.url).pathname, /invalid ELF header|file too short/],
    ["a folder", "/", /cannot read file data|Is a directory/],
    ["a library without OpenCL", "libm.so.6", /clGetPlatformIDs is missing/],
  ])("if the library is %s, and lists the paths that were tried", async (_, path, why) => {
    const { name, code, message, tried } = await firstUse({ CL_LIBRARY_PATH: path });
    expect({ name, code }).toEqual({ name: "NoRuntimeError", code: "ERR_CL_NO_RUNTIME" });
    expect(message).toContain("No OpenCL library could be opened");
    expect(message).toMatch(why);
    expect(message).toContain("pocl-opencl-icd");
    expect(tried.join()).toContain(path);
  });
});

test("a runtime installed later is found by the next call", async () => {
  const library = await buildFakeOpenCL();
  const source = `
    import { writeSync } from "node:fs";
    import { getPlatforms } from "@cl/core";
    const library = process.env.CL_LIBRARY_PATH;
    process.env.CL_LIBRARY_PATH = ${JSON.stringify(nowhere)};
    let first = "";
    try { getPlatforms(); } catch (error) { first = error.code; }
    process.env.CL_LIBRARY_PATH = library;
    writeSync(1, JSON.stringify({ first, platforms: getPlatforms().length }));`;
  const result = lastResult(await runModule({ source, env: { CL_LIBRARY_PATH: library } }));
  expect(result).toEqual({ first: "ERR_CL_NO_RUNTIME", platforms: 1 });
});

test.runIf(process.platform === "linux")(
  "importing loads no OpenCL library and works without one",
  { tags: "ci" },
  async () => {
    const source = `
    import { readFileSync, writeSync } from "node:fs";
    import * as core from "@cl/core";
    const maps = readFileSync("/proc/self/maps", "utf8");
    const loaded = [...new Set(maps.match(/\\S*(?:OpenCL|libpocl|libnvidia|amdocl)[^\\s]*/gi) ?? [])];
    writeSync(1, JSON.stringify({ loaded, handles: core.handleCount(), names: Object.keys(core).length }));`;
    for (const env of [{}, { CL_LIBRARY_PATH: nowhere }]) {
      const { loaded, handles, names } = lastResult(await runModule({ source, env })) as Record<string, unknown>;
      expect(loaded).toEqual([]);
      expect(handles).toBe(0);
      expect(names).toBeGreaterThan(50);
    }
  },
);
