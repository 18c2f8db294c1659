import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CacheFolder } from "@cl/core";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { needs } from "@cl/base/testing";
import { wrongType } from "@cl/testing/error-like";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (content: Uint8Array | undefined): string | undefined =>
  content === undefined ? undefined : new TextDecoder().decode(content);

let base: string;

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "cl-cache-folder-"));
  vi.stubEnv("CL_CACHE_DIR", base);
  vi.stubEnv("CL_NO_CACHE", "");
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(base, { recursive: true, force: true });
});

test("read returns what was last written", async () => {
  const folder = new CacheFolder("things-v1");
  expect(await folder.read("a.json")).toBeUndefined();
  expect(existsSync(join(base, "things-v1"))).toBe(false);
  expect(await folder.write("a.json", bytes("one"))).toBe(true);
  expect(await folder.write("a.json", bytes("two"))).toBe(true);
  expect(text(await folder.read("a.json"))).toBe("two");
  expect(text(folder.readSync("a.json"))).toBe("two");
  expect(folder.readSync("b.json")).toBeUndefined();
  expect(folder.directory).toBe(join(base, "things-v1"));
  expect(readdirSync(join(base, "things-v1"))).toEqual(["a.json"]);
});

test("CL_NO_CACHE disables the cache, which `reason` reports", async () => {
  vi.stubEnv("CL_NO_CACHE", "1");
  const folder = new CacheFolder("things-v1");
  expect(folder.directory).toBeUndefined();
  expect(folder.reason).toBe("CL_NO_CACHE is set");
  expect(await folder.write("a", bytes("x"))).toBe(false);
  expect(await folder.read("a")).toBeUndefined();
  expect(readdirSync(base)).toEqual([]);
});

test("a folder or a file writable by others is not read; the next write replaces the file", async (run) => {
  needs(run, process.platform !== "win32", "Windows has no file modes");
  const folder = new CacheFolder("things-v1");
  await folder.write("a", bytes("x"));
  chmodSync(join(base, "things-v1"), 0o777);
  expect(await folder.read("a")).toBeUndefined();
  expect(await folder.write("a", bytes("y"))).toBe(false);
  chmodSync(join(base, "things-v1"), 0o700);
  for (const mode of [0o666, 0o620, 0o602]) {
    chmodSync(join(base, "things-v1", "a"), mode);
    expect(await folder.read("a")).toBeUndefined();
    expect(folder.readSync("a")).toBeUndefined();
  }
  expect(await folder.write("a", bytes("y"))).toBe(true);
  expect(text(await folder.read("a"))).toBe("y");
});

test("the first write removes temporary files that are more than an hour old", async () => {
  const directory = join(base, "things-v1");
  mkdirSync(directory, { mode: 0o700 });
  const abandoned = join(directory, `a.json.${"0".repeat(16)}.tmp`);
  const inUse = join(directory, `b.json.${"1".repeat(16)}.tmp`);
  const other = join(directory, "old.tmp");
  for (const file of [abandoned, inUse, other]) writeFileSync(file, "");
  const old = new Date(Date.now() - 2 * 60 * 60 * 1000);
  for (const file of [abandoned, other]) utimesSync(file, old, old);
  await new CacheFolder("things-v1").write("c.json", bytes("x"));
  expect(readdirSync(directory).toSorted()).toEqual([`b.json.${"1".repeat(16)}.tmp`, "c.json", "old.tmp"]);
});

test("files over maxBytes, directories and dangling links are not read", async () => {
  const folder = new CacheFolder("things-v1");
  await folder.write("large", new Uint8Array(100));
  expect(await folder.read("large", 99)).toBeUndefined();
  expect((await folder.read("large", 100))?.length).toBe(100);
  symlinkSync("nowhere", join(base, "things-v1", "link"));
  expect(await folder.read("link")).toBeUndefined();
});

test("a write returns false if the folder cannot be created", async () => {
  writeFileSync(join(base, "file"), "in the way");
  // Linux reports ENOENT for a new directory in /proc; elsewhere /proc itself is missing.
  for (const directory of ["/proc/cl-cache-folder/a/b", join(base, "file")]) {
    vi.stubEnv("CL_CACHE_DIR", directory);
    const folder = new CacheFolder("things-v1");
    expect(await folder.write("a", bytes("x"))).toBe(false);
    expect(await folder.read("a")).toBeUndefined();
  }
});

test("a write creates the file and missing folders, readable by the current user only", async () => {
  vi.stubEnv("CL_CACHE_DIR", join(base, "a", "b"));
  expect(await new CacheFolder("things-v1").write("x", bytes("x"))).toBe(true);
  for (const path of ["a", "a/b", "a/b/things-v1", "a/b/things-v1/x"]) {
    expect(statSync(join(base, path)).mode & 0o077).toBe(0);
  }
});

test("names that point outside the folder and names of temporary files are rejected", async () => {
  const folder = new CacheFolder("things-v1");
  const refused = wrongType("file");
  for (const name of ["", ".", "..", "../x", "a/b", "a\\b", ".hidden", "a\0b", "x".repeat(200)]) {
    expect(() => new CacheFolder(name)).toThrow(wrongType("name"));
    await expect(folder.read(name)).rejects.toThrow(refused);
    expect(() => folder.readSync(name)).toThrow(refused);
  }
  const temporary = `a.${"0".repeat(16)}.tmp`;
  await expect(folder.write(temporary, bytes("x"))).rejects.toThrow(refused);
  expect(() => folder.readSync(temporary)).toThrow(refused);
});
