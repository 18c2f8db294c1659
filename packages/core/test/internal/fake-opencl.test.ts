/** What other tests rely on: the fake library counts misuse and live objects, and fails chosen calls. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { buildFakeOpenCL, buildWithFake } from "@cl/testing/fake-opencl/build";
import { runWithFake } from "@cl/testing/fake-opencl/run";
import { childEnvironment } from "@cl/testing/child-environment";

const run = promisify(execFile);
let driver = "";

beforeAll(async () => {
  driver = await buildWithFake(fileURLToPath(new URL("fake-opencl/driver.cc", import.meta.url)));
}, 240_000);

/** Returns the lines that a scenario of the driver prints. */
async function drive(scenario: string, env: Record<string, string> = {}): Promise<string[]> {
  const { stdout } = await run(driver, [scenario], { env: childEnvironment(env) });
  return stdout.trimEnd().split("\n");
}

test("invalid input is rejected and counted", async () => {
  expect(await drive("misuses")).toEqual([
    "beyond -30",
    "kind -38",
    "foreign -38",
    "dead -38",
    "twice -38",
    "misuse 5",
  ]);
});

test.each([
  [{ FAKE_CL_FAIL: "clCreateBuffer=-61" }, [-61, -61, -61, -61]],
  [{ FAKE_CL_FAIL: "clCreateBuffer@2=-4" }, [0, -4, 0, 0]],
  [{ FAKE_CL_FAIL: "clCreateBuffer@3+=-6" }, [0, 0, -6, -6]],
  // Four calls create the context, then buffers are created and released.
  [{ FAKE_CL_FAIL: "*@7=-5" }, [0, -5, 0, 0]],
  [{ FAKE_CL_FAIL: "clReleaseMemObject=-5" }, [0, 0, 0, 0]],
  [{ FAKE_CL_MEMORY: "15" }, [-4, -4, -4, -4]],
])("%j makes four allocations end with %j, and leaks nothing", async (env, statuses) => {
  const lines = await drive("failures", env);
  expect(lines.filter((line) => line.startsWith("status"))).toEqual(statuses.map((status) => `status ${status}`));
  expect(lines.at(-1)).toBe("misuse 0");
});

test("rejects unknown entry points in `absent`", async () => {
  await expect(buildFakeOpenCL({ absent: ["clNothing"] })).rejects.toThrow("clNothing");
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

  test("is killed after a timeout", async () => {
    const { code, signal, report } = await runWithFake("setInterval(() => {}, 1000);", { timeout: 500 });
    expect({ code, signal, report }).toEqual({ code: null, signal: "SIGKILL", report: undefined });
  });
});
