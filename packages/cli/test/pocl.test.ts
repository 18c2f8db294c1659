/**
 * clkit with an installed `@cl/pocl`, whose library is the fake.
 *
 * @module-tag ci
 */
import { spawn } from "node:child_process";
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { childEnvironment } from "@cl/testing/child-environment";
import { buildFakeOpenCL } from "@cl/testing/fake-opencl/build";
import { type InstalledPocl, installPocl, isSupported } from "@cl/testing/installed-pocl";

import type { Ended } from "./support/clkit.js";

let installed: InstalledPocl;
let system: string;

beforeAll(async () => {
  system = await buildFakeOpenCL();
  const linked = ["base", "core", "characterize", "launcher", "array"].map((name) => `@cl/${name}`);
  installed = await installPocl(import.meta.url, linked, ["@cl/cli"]);
}, 600_000);
afterAll(() => installed[Symbol.dispose]());

type Changes = Readonly<Record<string, string | undefined>>;

/** Runs clkit in the folder with the packages. */
async function clkit(args: readonly string[], changes: Changes = {}): Promise<Ended> {
  const env = childEnvironment({
    CL_LIBRARY_PATH: system,
    CL_POCL: undefined,
    CL_CACHE_DIR: join(installed.root, "caches"),
    NO_COLOR: "1",
    ...changes,
  });
  const child = spawn(process.execPath, [join(installed.root, "node_modules/@cl/cli/dist/bin.js"), ...args], { env });
  const ended = new Promise<number>((resolve) => child.on("close", (code) => resolve(code ?? -1)));
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, out, err };
}

/** Returns the messages of a check of the doctor, with their status. */
async function findings(check: string, changes: Changes = {}): Promise<readonly string[]> {
  const { out } = await clkit(["doctor", "--json"], changes);
  const report = JSON.parse(out) as { readonly findings: readonly Record<"check" | "status" | "message", string>[] };
  return report.findings.filter((one) => one.check === check).map(({ status, message }) => `${status}: ${message}`);
}

/** Returns an environment without an OpenCL library of the system: the dynamic linker stops at these files. */
function withoutSystem(): Changes {
  const libraries = join(installed.root, "broken");
  mkdirSync(libraries, { recursive: true });
  for (const name of ["libOpenCL.so.1", "libOpenCL.so"]) writeFileSync(join(libraries, name), "");
  return { CL_LIBRARY_PATH: undefined, LD_LIBRARY_PATH: libraries };
}

describe.runIf(isSupported)("with @cl/pocl installed", () => {
  test("info lists its platform after the system's, with the path of its library", async () => {
    const { code, out, err } = await clkit(["info"]);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(/^0 {2}.*\n {3}from system \(.*\n(.*\n)+1 {2}.*\n {3}from @cl\/pocl \(.*libpocl\.so\)\n/);
    expect((await clkit(["info"], withoutSystem())).out).toMatch(/^0 {2}.*\n {3}from @cl\/pocl \(/);
  });

  test("CL_POCL=0 turns it off", async () => {
    expect((await clkit(["info"], { CL_POCL: "0" })).out).not.toContain("@cl/pocl");
    expect(await findings("@cl/pocl", { CL_POCL: "0" })).toEqual(["ok: Turned off: CL_POCL is 0."]);
  });

  test("the doctor tests its device without the system's drivers", async () => {
    const [platform, device, ...more] = await findings("@cl/pocl");
    expect(platform).toBe(`ok: OpenCL 3.0 fake from ${installed.library}`);
    // The fake computes nothing.
    expect(device).toMatch(/^fail: .*kernel test failed: a kernel returned 0 instead of -1500$/);
    expect(more).toEqual([]);
    expect(await findings("all together")).toEqual(["ok: 2 platforms, 2 devices"]);
  });

  test("commands report why it cannot be used, and use the other platforms", async () => {
    const hidden = join(installed.root, "hidden");
    renameSync(installed.library, hidden);
    try {
      const { code, out, err } = await clkit(["info"]);
      expect(code).toBe(0);
      expect(out).toMatch(/^0 {2}/);
      expect(err).toMatch(/^clkit info: @cl\/pocl-linux-\w+ is incomplete: reinstall it, /);
      expect((await findings("@cl/pocl"))[0]).toMatch(/^fail: @cl\/pocl-linux-\w+ is incomplete/);
    } finally {
      renameSync(hidden, installed.library);
    }
  });

  test("a missing OpenCL library fails the doctor if the package does not work either", async () => {
    expect((await findings("OpenCL library", withoutSystem()))[0]).toMatch(/^fail: No OpenCL library could be opened/);
  });
});
