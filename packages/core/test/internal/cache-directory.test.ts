import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { chooseCacheDirectory, examineCacheDirectory } from "../../src/cache/cache-directory.js";
import { runAsync, runSync } from "../../src/cache/either.js";
import { scratchDirectory, sentenceWith } from "./fixtures/cache-scratch.js";

describe("the cache's place", () => {
  test("is CL_CACHE_DIR before all, and a relative one starts from the working directory", () => {
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

  test("does not exist without a home, or when CL_NO_CACHE is set to anything", () => {
    for (const platform of ["linux", "darwin", "win32"] as const) {
      expect(chooseCacheDirectory({}, platform)).toEqual({
        path: undefined,
        reason: sentenceWith("CL_CACHE"),
      });
    }
    expect(chooseCacheDirectory({ HOME: "relative" }, "linux").path).toBeUndefined();
    expect(chooseCacheDirectory({ CL_NO_CACHE: "0", HOME: "/home/u" }, "linux")).toEqual({
      path: undefined,
      reason: "CL_NO_CACHE is set",
    });
    expect(chooseCacheDirectory({ CL_NO_CACHE: "", HOME: "/home/u" }, "linux").path).toBeDefined();
  });
});

describe.runIf(process.platform !== "win32")("the cache's directory", () => {
  test("is made for its owner only, with its parents, and only on request", async () => {
    const directory = path.join(scratchDirectory(), "a", "b");
    expect(await runAsync(examineCacheDirectory(directory, false))).toBe("absent");
    expect(fs.existsSync(directory)).toBe(false);
    expect(await runAsync(examineCacheDirectory(directory, true))).toBeUndefined();
    for (const made of [directory, path.dirname(directory)]) expect(fs.statSync(made).mode & 0o777).toBe(0o700);
    expect(runSync(examineCacheDirectory(directory, false))).toBeUndefined();
  });

  test.each([0o770, 0o702, 0o777])("is refused with mode %o, since others could write programs into it", (mode) => {
    const directory = scratchDirectory();
    fs.chmodSync(directory, mode);
    expect(reasonOf(directory)).toContain("written to by others");
  });

  test("is accepted when others may only read it", () => {
    const directory = scratchDirectory();
    fs.chmodSync(directory, 0o755);
    expect(runSync(examineCacheDirectory(directory, true))).toBeUndefined();
  });

  test("is refused when it belongs to somebody else", () => {
    let directory = "/usr";
    if (process.geteuid?.() === 0) {
      directory = scratchDirectory();
      fs.chownSync(directory, 65_534, 65_534);
    }
    expect(reasonOf(directory)).toContain("belongs to user");
  });

  test("is refused when it is a symbolic link, even to a good directory", () => {
    const base = scratchDirectory();
    fs.mkdirSync(path.join(base, "target"), { mode: 0o700 });
    fs.symlinkSync(path.join(base, "target"), path.join(base, "link"));
    fs.symlinkSync(path.join(base, "nowhere"), path.join(base, "dangling"));
    expect(reasonOf(path.join(base, "link"))).toContain("symbolic link");
    expect(reasonOf(path.join(base, "dangling"))).toContain("symbolic link");
    expect(fs.existsSync(path.join(base, "nowhere"))).toBe(false);
  });

  test("is refused below a directory in which anybody could swap it, but not below a sticky one", () => {
    const base = scratchDirectory();
    fs.chmodSync(base, 0o777);
    expect(reasonOf(path.join(base, "x", "y"))).toContain("written to by anybody");
    expect(fs.existsSync(path.join(base, "x"))).toBe(false);
    fs.chmodSync(base, 0o1777);
    expect(runSync(examineCacheDirectory(path.join(base, "x", "y"), true))).toBeUndefined();
  });

  test("is refused when a file is in its place or on the way to it", () => {
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
