/**
 * Objects of another copy of the package, or of another thread.
 *
 * @module-tag ci
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import * as threads from "node:worker_threads";

import { needs } from "@cl/base/testing";
import { lastResult, runModule } from "@cl/testing/run-module";
import { expect, test } from "vitest";

import { queue } from "./support/kernels.js";

test("an object of another copy of the package is refused with the names of both copies", async () => {
  const folder = mkdtempSync(join(tmpdir(), "cl-copy-"));
  try {
    const packages = createRequire(import.meta.resolve("@cl/core/package.json"));
    const original = dirname(packages.resolve("@cl/core/package.json"));
    const copy = join(folder, "node_modules/@cl/core");
    mkdirSync(copy, { recursive: true });
    for (const name of ["dist", "package.json", "build/Release/cl_core.node"]) {
      cpSync(join(original, name), join(copy, name), { recursive: true });
    }
    symlinkSync(dirname(packages.resolve("@cl/base/package.json")), join(folder, "node_modules/@cl/base"));
    const source = `
      const one = await import("@cl/core");
      const two = await import(${JSON.stringify(pathToFileURL(join(copy, "dist/index.js")).href)});
      const error = (() => { try { new one.CommandQueue(two.Context.create()); } catch (error) { return error; } })();
      console.log(JSON.stringify({ code: error.code, message: error.message }));`;
    const { code, message } = lastResult(await runModule({ source })) as { code: string; message: string };
    expect(code).toBe("ERR_INVALID_ARG_TYPE");
    expect(message.replaceAll(/shared\S*\.js/g, "*")).toBe(
      `context must be a Context of ${pathToFileURL(original).href}/dist/*, received an instance of the copy ${pathToFileURL(copy).href}/dist/*`,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("objects cannot be cloned for another thread", (run) => {
  needs(run, "markAsUncloneable" in threads, "this version of Node.js cannot forbid it");
  expect(() => structuredClone(queue)).toThrow(/clone/);
});
