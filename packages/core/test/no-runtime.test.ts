import { expect, test } from "vitest";
import { runWithFake } from "@cl/testing/fake-opencl/run";

const script = `
  import { Context, getPlatforms, NoRuntimeError, selectDevices } from "@cl/core";
  for (const ask of [getPlatforms, () => Context.create(), () => selectDevices("all"), () => selectDevices("gpu")]) {
    try {
      console.log(JSON.stringify({ got: ask().length }));
    } catch (error) {
      console.log(JSON.stringify({ ours: error instanceof NoRuntimeError, code: error.code, message: error.message, tried: error.tried }));
    }
  }
`;

/** Returns the result of each of the script's calls. */
async function runScript(
  env: Record<string, string>,
): Promise<{ got?: number; ours?: boolean; code: string; message: string; tried: string[] }[]> {
  const { stdout, code, signal, stderr } = await runWithFake(script, { env });
  expect({ code, signal, stderr }).toEqual({ code: 0, signal: null, stderr: "" });
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as never);
}

test("without an OpenCL library, the error lists the paths tried and what to install", async () => {
  for (const result of await runScript({ CL_LIBRARY_PATH: "/nonexistent/libOpenCL.so" })) {
    expect(result).toMatchObject({ ours: true, code: "ERR_CL_NO_RUNTIME" });
    expect(result.message).toMatch(/^No OpenCL library could be opened\. Tried:/);
    expect(result.message).toContain("pocl-opencl-icd");
    expect(result.tried).toEqual([expect.stringContaining("/nonexistent/libOpenCL.so")]);
  }
});

test.each(["0", "-1001"])(
  "a library without a platform (%s) reports that no driver is installed",
  async (platforms) => {
    for (const result of await runScript({ FAKE_CL_PLATFORMS: platforms })) {
      expect(result).toMatchObject({ ours: true, code: "ERR_CL_NO_RUNTIME" });
      expect(result.message).toMatch(/lists no platform: no driver is installed/);
    }
  },
);

test("a platform without a device is listed, and reports that it has none", async () => {
  const [platforms, context, all, gpu] = await runScript({ FAKE_CL_DEVICES: "0" });
  expect(platforms).toEqual({ got: 1 });
  for (const result of [context, all]) {
    expect(result).toMatchObject({ ours: true, code: "ERR_CL_NO_RUNTIME" });
    expect(result?.message).toMatch(/none of them has a device/);
  }
  expect(gpu?.code).toBe("ERR_CL_NO_DEVICE");
});

test("a driver that fails to list its platforms reports its error", async () => {
  for (const result of await runScript({ FAKE_CL_FAIL: "clGetPlatformIDs=-6" })) {
    expect(result).toMatchObject({ ours: false, code: "CL_OUT_OF_HOST_MEMORY" });
  }
});

test("selectors distinguish several platforms and devices, and a context requires a single platform", async () => {
  const { stdout } = await runWithFake(
    `
    import { Context, getPlatforms, selectDevices } from "@cl/core";
    const [first, second] = getPlatforms();
    console.log(getPlatforms().length, first.devices.length, first === second);
    console.log(selectDevices("1:0,1").map((device) => second.devices.indexOf(device)).join());
    console.log(selectDevices("1:*").length, selectDevices("gpu").length, selectDevices("all").length);
    try { new Context([first.devices[0], second.devices[0]]); } catch (error) { console.log(error.name, error.message); }
    console.log(Context.create("0:0,1").numDevices, new Context(second.devices).platform === second);
    process.env.CL_DEVICE = "1:1";
    console.log(Context.create().devices[0] === second.devices[1]);
    `,
    { env: { FAKE_CL_PLATFORMS: "2", FAKE_CL_DEVICES: "3" } },
  );
  const lines = stdout.trim().split("\n");
  expect(lines.slice(0, 3)).toEqual(["2 3 false", "0,1", "3 1 3"]);
  expect(lines[3]).toMatch(/^TypeError devices must be devices of one platform/);
  expect(lines.slice(4)).toEqual(["2 true", "true"]);
});
