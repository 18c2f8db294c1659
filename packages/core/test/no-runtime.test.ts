/** The first use of OpenCL without a library, a platform or a device, or with a broken library. Importing loads nothing. */
import { expect, test } from "vitest";
import { sample } from "@cl/testing/level";
import { buildFakeOpenCL } from "@cl/testing/fake-opencl/build";
import { runWithFake } from "@cl/testing/fake-opencl/run";
import { lastResult, runModule } from "@cl/testing/run-module";

const script = `
  import { Context, getPlatforms, selectDevices } from "@cl/core";
  const codes = [getPlatforms, () => Context.create(), () => selectDevices("all"), () => selectDevices("gpu")].map((ask) => {
    try { return ask().length; } catch (error) { return error.code; }
  });
  console.log(JSON.stringify(codes));
`;
const none = "ERR_CL_NO_RUNTIME";

const cases: readonly [string, Record<string, string>, unknown[]][] = [
  ["a platform", { FAKE_CL_PLATFORMS: "0" }, [none, none, none, none]],
  ["a platform, with an error", { FAKE_CL_PLATFORMS: "-1001" }, [none, none, none, none]],
  ["a device", { FAKE_CL_DEVICES: "0" }, [1, none, none, "ERR_CL_NO_DEVICE"]],
  ["success", { FAKE_CL_FAIL: "clGetPlatformIDs=-6" }, Array(4).fill("CL_OUT_OF_HOST_MEMORY")],
];
test.each(sample(cases, 3))(
  "without %s, getPlatforms, create and the selectors end with an error of that",
  async (_, env, codes) => {
    const { stdout, code, signal, stderr } = await runWithFake(script, { env });
    expect({ code, signal, stderr }).toEqual({ code: 0, signal: null, stderr: "" });
    expect(JSON.parse(stdout)).toEqual(codes);
  },
);

test("selectors distinguish several platforms and devices, and a context requires a single platform", async () => {
  const { stdout } = await runWithFake(
    `
    import { Context, getPlatforms, selectDevices } from "@cl/core";
    const [first, second] = getPlatforms();
    console.log(getPlatforms().length, first.devices.length, first === second);
    console.log(selectDevices("1:0,1").map((device) => second.devices.indexOf(device)).join());
    console.log(selectDevices("1:*").length, selectDevices("gpu").length, selectDevices("all").length);
    try { new Context([first.devices[0], second.devices[0]]); } catch (error) { console.log(error.code); }
    console.log(Context.create("0:0,1").numDevices, new Context(second.devices).platform === second);
    process.env.CL_DEVICE = "1:1";
    console.log(Context.create().devices[0] === second.devices[1]);
    `,
    { env: { FAKE_CL_PLATFORMS: "2", FAKE_CL_DEVICES: "3" } },
  );
  const lines = stdout.trim().split("\n");
  expect(lines.slice(0, 3)).toEqual(["2 3 false", "0,1", "3 1 3"]);
  expect(lines.slice(3)).toEqual(["ERR_INVALID_ARG_TYPE", "2 true", "true"]);
});

const nowhere = "/nonexistent/libOpenCL.so";

test.each([
  ["missing", nowhere, /cannot open shared object file/],
  ["a text file", new URL(import.meta.url).pathname, /invalid ELF header|file too short/],
  ["a folder", "/", /cannot read file data|Is a directory/],
  ["a library without OpenCL", "libm.so.6", /clGetPlatformIDs is missing/],
])("if the library is %s, the first use throws a NoRuntimeError that lists the paths", async (_, path, why) => {
  const source = `
    import { writeSync } from "node:fs";
    import { Context } from "@cl/core";
    try {
      Context.create();
    } catch ({ name, code, message, tried }) {
      writeSync(1, JSON.stringify({ name, code, message, tried: tried.join() }));
    }`;
  const error = lastResult(await runModule({ source, env: { CL_DEVICE: undefined, CL_LIBRARY_PATH: path } }));
  expect(error).toMatchObject({
    name: "NoRuntimeError",
    code: "ERR_CL_NO_RUNTIME",
    message: expect.stringMatching(why) as string,
    tried: expect.stringContaining(path) as string,
  });
  expect(error).toMatchObject({
    message: expect.stringMatching(/No OpenCL library could be opened.*pocl-opencl-icd/s),
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
