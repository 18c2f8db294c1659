/** The first use of OpenCL without a library, a platform or a device. faults-runtime.test.ts has broken libraries. */
import { expect, test } from "vitest";
import { sample } from "@cl/testing/level";
import { runWithFake } from "@cl/testing/fake-opencl/run";

const script = `
  import { Context, getPlatforms, selectDevices } from "@cl/core";
  const codes = [getPlatforms, () => Context.create(), () => selectDevices("all"), () => selectDevices("gpu")].map((ask) => {
    try { return ask().length; } catch (error) { return error.code; }
  });
  console.log(JSON.stringify(codes));
`;
const none = "ERR_CL_NO_RUNTIME";

const cases: readonly [string, Record<string, string>, unknown[]][] = [
  ["a library", { CL_LIBRARY_PATH: "/nonexistent/libOpenCL.so" }, [none, none, none, none]],
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
