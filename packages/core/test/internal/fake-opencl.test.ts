import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { buildFakeOpenCL, buildWithFake } from "@cl/testing/fake-opencl/build";
import { entryPoints } from "@cl/testing/fake-opencl/entry-points";
import { runWithFake } from "@cl/testing/fake-opencl/run";
import { childEnvironment } from "@cl/testing/child-environment";

const run = promisify(execFile);
let driver = "";

beforeAll(async () => {
  driver = await buildWithFake(fileURLToPath(new URL("fake-opencl/driver.cc", import.meta.url)));
}, 240_000);

/** Returns the lines that a scenario of the driver prints. */
async function drive(scenario: string, env: Record<string, string> = {}, args: string[] = []): Promise<string[]> {
  const { stdout } = await run(driver, [scenario, ...args], { env: childEnvironment(env) });
  return stdout.trimEnd().split("\n");
}

describe("the fake library", () => {
  test("exports each entry point that the binding resolves", async () => {
    const names = [...(await entryPoints()).keys()];
    expect(await drive("symbols", {}, [await buildFakeOpenCL(), ...names])).toEqual(["version OpenCL 3.0", "misuse 0"]);
  });

  test("lacks the entry points in `absent`", async () => {
    const library = await buildFakeOpenCL({ absent: ["clCloneKernel", "clSetKernelArg"] });
    const lines = await drive("symbols", {}, [library, "clCloneKernel", "clCreateKernel", "clSetKernelArg"]);
    expect(lines).toEqual(["missing clCloneKernel", "missing clSetKernelArg", "version OpenCL 3.0", "misuse 0"]);
  });

  test("reports an older version and lacks the entry points of later ones", async () => {
    const library = await buildFakeOpenCL({ version: "1.1" });
    const lines = await drive("symbols", {}, [library, "clCreateSubBuffer", "clCreateImage", "clCloneKernel"]);
    expect(lines).toEqual(["missing clCreateImage", "missing clCloneKernel", "version OpenCL 1.1", "misuse 0"]);
  });

  test("rejects unknown entry points in `absent`", async () => {
    await expect(buildFakeOpenCL({ absent: ["clNothing"] })).rejects.toThrow(
      "options.absent must contain entry points, received clNothing",
    );
  });
});

describe("discovery", () => {
  test("finds the configured number of platforms and devices, and returns info of exact size", async () => {
    const lines = await drive("discovery", { FAKE_CL_PLATFORMS: "3", FAKE_CL_DEVICES: "5" });
    expect(lines.slice(0, 4)).toEqual(["platforms_status 0", "platforms 3", "devices_status 0", "devices 5"]);
    expect(lines.slice(4)).toEqual(["name_status 0", "name_size 16", "short_status -30", "misuse 0"]);
  });

  test("fails if the loader or the platform has none", async () => {
    expect(await drive("discovery", { FAKE_CL_PLATFORMS: "-1001" })).toContain("platforms_status -1001");
    expect(await drive("discovery", { FAKE_CL_PLATFORMS: "0" })).toContain("platforms 0");
    expect(await drive("discovery", { FAKE_CL_DEVICES: "0" })).toContain("devices_status -1");
  });

  test("pads strings to the configured length", async () => {
    expect(await drive("discovery", { FAKE_CL_LONG: "4096" })).toContain("name_size 4096");
  });
});

describe("commands", () => {
  test("transfer bytes and pixels, and leave no objects alive", async () => {
    expect(await drive("transfers")).toEqual(["copied 8", "filled 99", "rect 8", "maps 1", "pixel 10", "misuse 0"]);
  });

  test("check kernel arguments against the declarations", async () => {
    const lines = await drive("kernels");
    const declared = ["float4* a", "int* scratch", "uint n", "image2d_t image"].map((each) => `argument ${each}`);
    expect(lines.slice(0, 6)).toEqual(["build 0", "kernels 2", ...declared]);
    expect(lines.slice(6)).toEqual(["index -49", "size -51", "unset -52", "launch 0", "misuse 0"]);
  });

  test("wait for user events", async () => {
    expect(await drive("user-events")).toEqual(["before 0", "after 7", "misuse 0"]);
  });
});

describe("events", () => {
  const completed = ["wait 0", "called 1", "status 0", "elsewhere 1", "took 1000", "misuse 0"];

  test("complete immediately, with callbacks on another thread", async () => {
    expect(await drive("events")).toEqual(["before 0", ...completed]);
  });

  test("complete manually if configured", async () => {
    expect(await drive("events", { FAKE_CL_EVENTS: "manual" })).toEqual(["before 3", ...completed]);
  });

  test("fail with the configured error", async () => {
    const lines = await drive("events", { FAKE_CL_EVENTS: "error:-14" });
    expect(lines.slice(0, 4)).toEqual(["before -14", "wait -14", "called 1", "status -14"]);
  });
});

describe("faults", () => {
  test("for invalid input are returned and counted", async () => {
    expect(await drive("misuses")).toEqual([
      "beyond -30",
      "kind -38",
      "foreign -38",
      "dead -38",
      "twice -38",
      "misuse 5",
    ]);
  });

  test("occur at every call, at the n-th, or from the n-th on", async () => {
    const after = async (rule: string): Promise<string[]> =>
      (await drive("failures", { FAKE_CL_FAIL: rule })).filter((line) => line.startsWith("status"));
    expect(await after("clCreateBuffer=-61")).toEqual(Array(4).fill("status -61"));
    expect(await after("clCreateBuffer@2=-4")).toEqual(["status 0", "status -4", "status 0", "status 0"]);
    expect(await after("clCreateBuffer@3+=-6")).toEqual(["status 0", "status 0", "status -6", "status -6"]);
    // Four calls create the context, then buffers are created and released.
    expect(await after("*@7=-5")).toEqual(["status 0", "status -5", "status 0", "status 0"]);
  });

  test("of a release still free the object", async () => {
    const lines = await drive("failures", { FAKE_CL_FAIL: "clReleaseMemObject=-5" });
    expect(lines).toContain("release -5");
    expect(lines.at(-1)).toBe("misuse 0");
  });

  test("of memory occur when it is exhausted", async () => {
    const lines = await drive("failures", { FAKE_CL_MEMORY: "15" });
    expect(lines).toEqual([...Array<string>(4).fill("status -4"), "misuse 0"]);
  });

  test("of a build return a log, and call back on another thread", async () => {
    const lines = await drive("builds", { FAKE_CL_BUILD: "slow,fail" });
    expect(lines.slice(0, 3)).toEqual(["build -11", "log fake.cl:3:5: ", "again 0"]);
    expect(lines.slice(3)).toEqual(["called 1", "status 0", "elsewhere 1", "misuse 0"]);
  });

  test("of a context are reported once, on another thread", async () => {
    const lines = await drive("context-errors", { FAKE_CL_CONTEXT_ERROR: "1" });
    expect(lines).toEqual(["called 1", "status 1", "elsewhere 1", "times 1", "misuse 0"]);
  });
});

describe("a script", () => {
  test("runs in the package's folder with the library's path, and returns its exit code and output", async () => {
    const script = `
      import { readFileSync } from "node:fs";
      process.stdout.write(JSON.parse(readFileSync("package.json", "utf8")).name);
      process.stderr.write(process.env.CL_LIBRARY_PATH);
      process.exit(3);`;
    const library = await buildFakeOpenCL();
    const expected = { code: 3, signal: null, stdout: "@cl/testing", stderr: library, report: undefined };
    expect(await runWithFake(script)).toEqual(expected);
  });

  test("writes a report of the library's calls", async () => {
    // Not an addon, so that `dlopen` throws; but the library stays loaded.
    const script = `
      try { process.dlopen({ exports: {} }, process.env.CL_LIBRARY_PATH); } catch {}`;
    const { code, report } = await runWithFake(script, { env: { FAKE_CL_PLATFORMS: "2" } });
    expect(code).toBe(0);
    expect(report).toMatchObject({ misuse: 0, notes: [], total: 0, calls: {}, live: { context: 0, mem: 0, svm: 0 } });
  });

  test("is killed after a timeout", async () => {
    const { code, signal, report } = await runWithFake("setInterval(() => {}, 1000);", { timeout: 500 });
    expect({ code, signal, report }).toEqual({ code: null, signal: "SIGKILL", report: undefined });
  });
});
