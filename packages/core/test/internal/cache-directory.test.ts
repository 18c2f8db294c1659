import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { chooseCacheDirectory, examineCacheDirectory } from "../../src/cache/cache-directory.js";
import { runAsync, runSync } from "../../src/cache/either.js";
import { scratchDirectory, sentenceWith } from "./fixtures/cache-scratch.js";

describe("the default cache path", () => {
  test("prefers CL_CACHE_DIR, resolved against the working directory if relative", () => {
    const environment = { CL_CACHE_DIR: "/big/cache", XDG_CACHE_HOME: "/xdg", HOME: "/home/u" };
    expect(chooseCacheDirectory(environment, "linux")).toEqual({ path: "/big/cache/programs-v1" });
    expect(chooseCacheDirectory({ CL_CACHE_DIR: "here" }, process.platform)).toEqual({
      path: path.join(process.cwd(), "here", "programs-v1"),
    });
  });

  test.each([
    ["linux", { XDG_CACHE_HOME: "/xdg", HOME: "/home/u" }, "/xdg/cl-node/programs-v1"],
    ["linux", { XDG_CACHE_HOME: "relative", HOME: "/home/u" }, "/home/u/.cache/cl-node/programs-v1"],
    ["linux", { HOME: "/home/u" }, "/home/u/.cache/cl-node/programs-v1"],
    ["darwin", { HOME: "/Users/u" }, "/Users/u/Library/Caches/cl-node/programs-v1"],
    ["win32", { LOCALAPPDATA: "C:\\Users\\u\\L" }, "C:\\Users\\u\\L\\cl-node\\cache\\programs-v1"],
    ["win32", { USERPROFILE: "C:\\Users\\u" }, "C:\\Users\\u\\AppData\\Local\\cl-node\\cache\\programs-v1"],
  ] as const)("on %s with %o is %s", (platform, environment, expected) => {
    expect(chooseCacheDirectory(environment, platform)).toEqual({ path: expected });
  });

  test("is undefined without a home directory or with CL_NO_CACHE set to any value", () => {
    for (const platform of ["linux", "darwin", "win32"] as const) {
      expect(chooseCacheDirectory({}, platform)).toEqual({ path: undefined, reason: sentenceWith("CL_CACHE") });
    }
    expect(chooseCacheDirectory({ HOME: "relative" }, "linux").path).toBeUndefined();
    expect(chooseCacheDirectory({ CL_NO_CACHE: "0", HOME: "/home/u" }, "linux")).toEqual({
      path: undefined,
      reason: "CL_NO_CACHE is set",
    });
    expect(chooseCacheDirectory({ CL_NO_CACHE: "", HOME: "/home/u" }, "linux").path).toBeDefined();
  });
});

describe.runIf(process.platform !== "win32")("the cache directory", () => {
  test("is created on request only, with its parents, accessible only to its owner", async () => {
    const directory = path.join(scratchDirectory(), "a", "b");
    expect(await runAsync(examineCacheDirectory(directory, false))).toBe("absent");
    expect(fs.existsSync(directory)).toBe(false);
    expect(await runAsync(examineCacheDirectory(directory, true))).toBeUndefined();
    for (const made of [directory, path.dirname(directory)]) expect(fs.statSync(made).mode & 0o777).toBe(0o700);
    expect(runSync(examineCacheDirectory(directory, false))).toBeUndefined();
  });

  test.each([0o770, 0o702, 0o777])("is rejected with mode %o, in which other users could write programs", (mode) => {
    const directory = scratchDirectory();
    fs.chmodSync(directory, mode);
    expect(reasonOf(directory)).toContain("written to by others");
  });

  test("is accepted if other users have read access only", () => {
    const directory = scratchDirectory();
    fs.chmodSync(directory, 0o755);
    expect(runSync(examineCacheDirectory(directory, true))).toBeUndefined();
  });

  test("is rejected if it belongs to another user", () => {
    let directory = "/usr";
    if (process.geteuid?.() === 0) {
      directory = scratchDirectory();
      fs.chownSync(directory, 65_534, 65_534);
    }
    expect(reasonOf(directory)).toContain("belongs to user");
  });

  test("is rejected if it is a symbolic link, even to a valid directory", () => {
    const base = scratchDirectory();
    fs.mkdirSync(path.join(base, "target"), { mode: 0o700 });
    fs.symlinkSync(path.join(base, "target"), path.join(base, "link"));
    fs.symlinkSync(path.join(base, "nowhere"), path.join(base, "dangling"));
    expect(reasonOf(path.join(base, "link"))).toContain("symbolic link");
    expect(reasonOf(path.join(base, "dangling"))).toContain("symbolic link");
    expect(fs.existsSync(path.join(base, "nowhere"))).toBe(false);
  });

  test("is rejected below a directory in which any user could replace it, but accepted below a sticky one", () => {
    const base = scratchDirectory();
    fs.chmodSync(base, 0o777);
    expect(reasonOf(path.join(base, "x", "y"))).toContain("written to by anybody");
    expect(fs.existsSync(path.join(base, "x"))).toBe(false);
    fs.chmodSync(base, 0o1777);
    expect(runSync(examineCacheDirectory(path.join(base, "x", "y"), true))).toBeUndefined();
  });

  test("is rejected if its path, or a parent's, is a file", () => {
    const file = path.join(scratchDirectory(), "file");
    fs.writeFileSync(file, "");
    expect(reasonOf(file)).toContain("not a directory");
    expect(reasonOf(path.join(file, "below"))).toMatch(/ENOTDIR|EEXIST/);
  });
});

function reasonOf(directory: string): string {
  const result = runSync(examineCacheDirectory(directory, true));
  if (result === undefined || result === "absent") throw new Error(`${directory} was accepted`);
  return result.reason;
}
