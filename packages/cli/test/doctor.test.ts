import { rmSync } from "node:fs";
import { getPlatforms } from "@cl/core";
import { afterEach, beforeAll, expect, test, vi } from "vitest";

import { needs } from "@cl/base/testing";
import { buildFakeOpenCL } from "@cl/testing/fake-opencl/build";
import { call } from "./support/clkit.js";
import { vendorsFolder } from "./support/driver-library.js";
import { childEnvironment } from "@cl/testing/child-environment";

type Finding = Readonly<Record<"check" | "status" | "message", string>> & { readonly fix?: string };

interface Report {
  readonly findings: readonly Finding[];
  readonly failed: number;
}

let fake: string;

// Compiles the fake driver if necessary.
beforeAll(async () => {
  fake = await buildFakeOpenCL();
}, 240_000);

afterEach(() => vi.unstubAllEnvs());

/** Returns the doctor's report for an environment. */
async function examine(env: Readonly<Record<string, string>>, ...more: readonly string[]): Promise<Report> {
  // With a given folder, hide all other drivers.
  const none = "OCL_ICD_VENDORS" in env ? { OCL_ICD_FILENAMES: "" } : {};
  const { code, out, err } = await call(["doctor", "--json", ...more], { env: childEnvironment({ ...none, ...env }) });
  expect(err).toBe("");
  const report = JSON.parse(out) as Report;
  expect(code).toBe(report.failed === 0 ? 0 : 1);
  for (const { status, fix } of report.findings) expect(fix === undefined).toBe(status === "ok");
  return report;
}

/** Returns the findings of one check. */
function about({ findings }: Report, check: string): readonly Finding[] {
  return findings.filter((finding) => finding.check === check);
}

test("no check fails if OpenCL works, and every device passes the kernel test", async () => {
  const report = await examine({});
  expect(report.findings.filter(({ status }) => status === "fail")).toEqual([]);
  const text = report.findings.map(({ check, message }) => `${check}: ${message}`).join("\n");
  expect(text).toContain(`Node.js: ${process.versions.node} on `);
  expect(text).toMatch(/^addon: .*cl_core\.node \((prebuilt|built on this machine)\)$/m);
  expect(text).toMatch(/^OpenCL library: \S+$/m);
  for (const { name } of getPlatforms().flatMap(({ devices }) => devices)) {
    expect(text).toContain(`"${name.trim()}": kernel test passed`);
  }
});

test("aborting and hanging drivers and broken .icd files are findings with fixes", { tags: "ci" }, async () => {
  const folder = vendorsFolder({
    aborts: { does: "aborts" },
    empty: "",
    hangs: { does: "hangs" },
    missing: "libnothing-like-it.so.1\n",
  });
  try {
    const report = await examine({ OCL_ICD_VENDORS: folder, CL_LIBRARY_PATH: "" }, "--timeout", "6");
    const [aborts, empty, hangs, missing] = ["aborts", "empty", "hangs", "missing"].map(
      (name) => about(report, `driver ${name}.icd`)[0],
    );
    expect(aborts).toMatchObject({ status: "fail", fix: expect.stringContaining(`sudo mv ${folder}/aborts.icd`) });
    expect(aborts?.message).toMatch(/crashed \(SIGABRT\).*\nno such device$/);
    expect(empty?.message).toContain("empty.icd names no library");
    expect(hangs?.message).toContain("did not end within 6 s");
    expect(missing?.message).toContain("libnothing-like-it.so.1");
    expect(about(report, "all together")).toEqual([]);
    // The other checks still run.
    expect(about(report, "OpenCL library")[0]).toMatchObject({ status: "ok" });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("an empty or missing driver folder is a finding", { tags: "ci" }, async () => {
  const folder = vendorsFolder({});
  const empty = await examine({ OCL_ICD_VENDORS: folder, CL_LIBRARY_PATH: "" });
  expect(about(empty, "driver files")[0]?.message).toContain(`No .icd files in ${folder} (OCL_ICD_VENDORS)`);
  expect(about(empty, "all together")[0]).toMatchObject({ status: "fail", message: "0 platforms, 0 devices" });
  rmSync(folder, { recursive: true });
  const absent = await examine({ OCL_ICD_VENDORS: folder, CL_LIBRARY_PATH: "" });
  expect(about(absent, "driver files")[0]).toMatchObject({ fix: "unset OCL_ICD_VENDORS" });
});

test("libraries in OCL_ICD_FILENAMES are checked as well", { tags: "ci" }, async () => {
  const folder = vendorsFolder({});
  try {
    const named = "libnothing-like-it.so.1:/nowhere/libdriver.so";
    const report = await examine({ OCL_ICD_VENDORS: folder, OCL_ICD_FILENAMES: named, CL_LIBRARY_PATH: "" });
    expect(about(report, "driver files")[0]).toMatchObject({
      status: "ok",
      message: "libnothing-like-it.so.1, libdriver.so (OCL_ICD_FILENAMES, which ocl-icd does not read)",
    });
    expect(about(report, "driver libdriver.so")[0]?.message).toContain("Its library cannot be opened");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.each([
  ["addon", { CL_CORE_BINARY: "/nowhere/addon.node" }, /no native addon.*\/nowhere\/addon\.node: does not exist/s],
  ["OpenCL library", { CL_LIBRARY_PATH: "/nowhere/libOpenCL.so" }, /could be opened.*\/nowhere\/libOpenCL\.so/s],
] as const)(
  "without the %s, its check fails and the drivers are not tried",
  { tags: "ci" },
  async (check, env, message) => {
    const report = await examine(env);
    expect(about(report, check)[0]).toMatchObject({ status: "fail", fix: `unset ${Object.keys(env)[0]}` });
    expect(about(report, check)[0]?.message).toMatch(message);
    expect(about(report, "all together")).toEqual([]);
  },
);

test.each([
  ["computes nothing", {}, "device", /kernel test failed: a kernel returned 0 instead of -1500$/],
  ["builds nothing", { FAKE_CL_BUILD: "fail" }, "device", /kernel test failed: /],
  ["has no device", { FAKE_CL_DEVICES: "0" }, "all together", /^1 platform, 0 devices$/],
  ["lists no platform", { FAKE_CL_PLATFORMS: "-1001" }, "all together", /^0 platforms, 0 devices$/],
] as const)("a driver that %s fails", { tags: "ci" }, async (_, env, check, message) => {
  const report = await examine({ CL_LIBRARY_PATH: fake, ...env });
  const [finding] = about(report, check).filter(({ status }) => status === "fail");
  expect(finding?.message).toMatch(message);
  // The driver of a platform without a device is installed.
  if (check === "all together") expect(finding?.fix?.includes("Install")).toBe(!message.test("1 platform, 0 devices"));
});

test("disabled caches are not a failure", async () => {
  const report = await examine({ CL_NO_CACHE: "1", CL_LIBRARY_PATH: "/nowhere" });
  expect(about(report, "cache folder")).toEqual([
    { check: "cache folder", status: "ok", message: "Caching is disabled: CL_NO_CACHE is set." },
  ]);
});

test("the text output has a line per finding, followed by its fix", async () => {
  const { code, out } = await call(["doctor"], {
    env: childEnvironment({ CL_LIBRARY_PATH: "/nowhere" }),
    color: true,
  });
  expect(code).toBe(1);
  expect(out).toContain("\u001B[32mok  ");
  expect(out).toContain("\u001B[31mfail");
  expect(out).toContain("fix:\u001B[39m unset CL_LIBRARY_PATH\n");
  expect(out).toMatch(/1 of \d+ checks failed/);
});

test.each(["0", "soon", "1e9"])("a timeout of %s is rejected", async (timeout) => {
  const { code, err } = await call(["doctor", `--timeout=${timeout}`]);
  expect(code).toBe(2);
  expect(err).toContain("--timeout must be");
});

test(
  "without a writable temporary folder, all devices are still tested, with a warning",
  { tags: "ci" },
  async (run) => {
    needs(run, !process.env["CL_LIBRARY_PATH"], "CL_LIBRARY_PATH is set, so drivers are not listed one by one");
    vi.stubEnv("TMPDIR", "/nonexistent");
    const report = await examine({});
    const [warning] = about(report, "temporary folder");
    expect(warning).toMatchObject({
      status: "warn",
      message: expect.stringMatching(/^\/nonexistent does not exist or/),
    });
    expect(report.failed).toBe(0);
    for (const { name } of getPlatforms().flatMap(({ devices }) => devices)) {
      const message = expect.stringContaining(`"${name.trim()}": kernel test passed`);
      expect(about(report, "device")).toContainEqual({ check: "device", status: "ok", message });
    }
  },
);
