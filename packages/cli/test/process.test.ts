/** Tests that need a separate process. */
import { spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync } from "node:fs";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";

import { bin, spawnClkit, start } from "./support/spawn-clkit.js";

test.each([
  [{ FORCE_COLOR: "1" }, true],
  [{ NO_COLOR: "1" }, false],
  [{ FORCE_COLOR: "1", NO_COLOR: "1" }, true],
])("with %j in the environment and no terminal, colors are enabled: %s", async (env, colored) => {
  const { code, out } = await spawnClkit(["--help"], env);
  expect(code).toBe(0);
  expect(out.includes("\u001B[")).toBe(colored);
});

test("an unknown command exits with code 2", async () => {
  expect(await spawnClkit(["ifno"])).toMatchObject({ code: 2, out: "" });
});

test("a command fails and suggests the doctor if OpenCL is missing", async () => {
  const { code, out, err } = await spawnClkit(["info"], { CL_LIBRARY_PATH: "/nowhere/libOpenCL.so" });
  expect([code, out]).toEqual([1, ""]);
  expect(err).toMatch(/^clkit info: No OpenCL library could be opened/);
  expect(err).toContain("clkit doctor");
});

test("a closed pipe ends the process without an error message", async () => {
  const child = start(["info", "--json"]);
  child.stdout.destroy();
  const ended = new Promise((resolve) => child.on("close", resolve));
  expect(await text(child.stderr)).toBe("");
  expect(await ended).toBe(0);
});

test.runIf(existsSync("/dev/full"))("a full disk gives an error message and exit code 1", async () => {
  const full = openSync("/dev/full", "w");
  const { status, stderr } = spawnSync(process.execPath, [bin, "info", "--json"], {
    stdio: ["ignore", full, "pipe"],
    encoding: "utf8",
  });
  closeSync(full);
  expect(status).toBe(1);
  expect(stderr).toMatch(/^clkit: cannot write to stdout: ENOSPC[^\n]*\n$/);
});
