import { subscribe, unsubscribe } from "node:diagnostics_channel";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { cacheKey } from "../../src/cache/cache-key.js";
import type { CacheKeyParts } from "../../src/cache/cache-key.js";
import { ProgramCache } from "../../src/cache/program-cache.js";
import type { CachedProgram, CacheMessage, ProgramRequest } from "../../src/cache/program-cache.js";
import { needs } from "@cl/base/testing";
import { listEntries, requestOf, scratchDirectory, writeText } from "./fixtures/cache-scratch.js";

const PROGRAM: CachedProgram = { binaries: [Uint8Array.of(1, 2, 3), Uint8Array.of(4)], logs: ["a warning", ""] };

/** The same tests for the asynchronous and the synchronous form. */
interface Form {
  lookup(cache: ProgramCache, request: ProgramRequest): Promise<CachedProgram | undefined>;
  store(cache: ProgramCache, request: ProgramRequest, program?: CachedProgram): Promise<void>;
}

const FORMS: readonly (readonly [string, Form])[] = [
  [
    "awaited",
    {
      lookup: (cache, request) => cache.lookup(request),
      store: (cache, request, program = PROGRAM) => cache.store(request, program),
    },
  ],
  [
    "blocking",
    {
      lookup: async (cache, request) => cache.lookupSync(request),
      store: async (cache, request, program = PROGRAM) => cache.storeSync(request, program),
    },
  ],
];

describe.each(FORMS)("the program cache, %s,", (_, { lookup, store }) => {
  test("returns what was stored, also to another process", async () => {
    const directory = path.join(scratchDirectory(), "programs");
    const request = requestOf("kernel void f() {}");
    const cache = new ProgramCache({ directory });
    expect(await lookup(cache, request)).toBeUndefined();
    expect(fs.existsSync(directory)).toBe(false);
    await store(cache, request);
    expect(await lookup(new ProgramCache({ directory }), requestOf("kernel void f() {}"))).toEqual(PROGRAM);
    expect(listEntries(directory)).toEqual({ entries: [expect.stringMatching(/^[0-9a-f]{64}\.clb$/)], others: [] });
    const [name = ""] = listEntries(directory).entries;
    if (process.platform !== "win32") expect(fs.statSync(path.join(directory, name)).mode & 0o777).toBe(0o600);
  });

  test("removes a damaged entry, misses, and works again after the next store", async () => {
    const directory = scratchDirectory();
    const cache = new ProgramCache({ directory });
    const request = requestOf("kernel void f() {}");
    await store(cache, request);
    const [name = ""] = listEntries(directory).entries;
    const file = path.join(directory, name);
    const good = fs.readFileSync(file);
    for (const damaged of [good.subarray(0, good.length - 1), Buffer.alloc(0), Buffer.alloc(good.length), flip(good)]) {
      fs.writeFileSync(file, damaged);
      const messages = listen();
      expect(await lookup(cache, request)).toBeUndefined();
      expect(messages.map((message) => message.event)).toEqual(["corrupt", "miss"]);
      expect(fs.existsSync(file)).toBe(false);
      await store(cache, request);
      expect(await lookup(cache, request)).toEqual(PROGRAM);
    }
  });

  test("misses when a header is edited and hits when the edit is undone", async () => {
    const base = scratchDirectory();
    const header = path.join(base, "include", "n.h");
    writeText(header, "#define N 1");
    const cache = new ProgramCache({ directory: path.join(base, "programs") });
    const request = requestOf("#include <n.h>", { options: ["-I", path.join(base, "include")] });
    expect(await lookup(cache, request)).toBeUndefined();
    await store(cache, request);
    expect(await lookup(cache, { ...request })).toEqual(PROGRAM);
    writeText(header, "#define N 2");
    expect(await lookup(cache, { ...request })).toBeUndefined();
    writeText(header, "#define N 1");
    expect(await lookup(cache, { ...request })).toEqual(PROGRAM);
  });

  test("does not store a build whose header changed between lookup and store, or that was not looked up", async () => {
    const base = scratchDirectory();
    writeText(path.join(base, "n.h"), "#define N 1");
    const cache = new ProgramCache({ directory: path.join(base, "programs") });
    const request = requestOf('#include "n.h"', { options: [`-I${base}`] });
    const messages = listen();
    await store(cache, request);
    await lookup(cache, request);
    writeText(path.join(base, "n.h"), "#define N 2");
    await store(cache, request);
    expect(messages.filter((message) => message.event === "skip").map((message) => message.reason)).toEqual([
      "it includes files and was not looked up before it was built",
      "an included file changed during the build",
    ]);
    expect(listEntries(path.join(base, "programs")).entries).toEqual([]);
  });

  test.each([
    ["a computed include", { source: '#define H "x.h"\n#include H' }],
    ["__TIME__ in its source", { source: "constant char t[] = __TIME__;" }],
    ["__TIME__ in an option", { options: ["-DT=__TIME__"] }],
    ["an option that reads files", { options: ["-include", "x.h"] }],
  ])("does not store a program with %s", async (_name, changes) => {
    const directory = scratchDirectory();
    const cache = new ProgramCache({ directory });
    const request = requestOf("kernel void f() {}", changes);
    expect(await lookup(cache, request)).toBeUndefined();
    await store(cache, request);
    expect(await lookup(cache, request)).toBeUndefined();
    expect(listEntries(directory).entries).toEqual([]);
  });

  test("does not store a program without binaries, or one larger than the cache", async () => {
    const directory = scratchDirectory();
    const cache = new ProgramCache({ directory, maxBytes: 1000 });
    await store(cache, requestOf("a"), { binaries: [], logs: [] });
    await store(cache, requestOf("b"), { binaries: [Uint8Array.of(1), new Uint8Array(0)], logs: ["", ""] });
    await store(cache, requestOf("c"), { binaries: [Uint8Array.of(1)], logs: [] });
    await store(cache, requestOf("d"), { binaries: [new Uint8Array(1000)], logs: [""] });
    expect(listEntries(directory)).toEqual({ entries: [], others: [] });
  });

  test("is disabled, with a reason, if its directory is not trusted or there is no path for one", async () => {
    const base = scratchDirectory();
    fs.writeFileSync(path.join(base, "file"), "");
    const messages = listen();
    for (const directory of [path.join(base, "file"), path.join(base, "file", "below"), undefined]) {
      const cache = new ProgramCache({ directory });
      await store(cache, requestOf("a"));
      expect(await lookup(cache, requestOf("a"))).toBeUndefined();
      expect(cache.reason).toBeTypeOf("string");
      expect(cache.directory).toBeUndefined();
    }
    expect(messages.map((message) => message.event)).toEqual(["off", "off"]);
  });

  test("evicts the least recently used entries when it grows too large, and removes temporary files of crashed writers", async () => {
    const directory = scratchDirectory();
    const program = { binaries: [new Uint8Array(1000)], logs: [""] };
    const cache = new ProgramCache({ directory, maxBytes: 6000, storesPerSweep: 1 });
    const abandoned = path.join(directory, `${"a".repeat(64)}.${"0".repeat(16)}.tmp`);
    const inUse = path.join(directory, `${"b".repeat(64)}.${"0".repeat(16)}.tmp`);
    const foreign = path.join(directory, "notes.txt");
    for (const file of [abandoned, inUse, foreign]) fs.writeFileSync(file, "x");
    for (const file of [abandoned, foreign]) age(file, 2);
    for (const source of ["a", "b", "c"]) await store(cache, requestOf(source), program);
    for (const name of listEntries(directory).entries) age(path.join(directory, name), 5);

    // A hit makes "a" the most recently used of the three.
    expect(await lookup(cache, requestOf("a"))).toBeDefined();
    for (const source of ["d", "e"]) await store(cache, requestOf(source), program);
    expect(await lookup(cache, requestOf("a"))).toBeDefined();
    expect(await lookup(cache, requestOf("e"))).toBeDefined();
    const { entries, others } = listEntries(directory);
    const total = entries.reduce((sum, name) => sum + fs.statSync(path.join(directory, name)).size, 0);
    expect(total).toBeLessThanOrEqual(6000);
    expect(others.sort()).toEqual([path.basename(inUse), "notes.txt"].sort());
  });

  test("ignores an entry that other users can write, and replaces it", async (run) => {
    needs(run, process.platform !== "win32", "Windows has no file modes");
    const directory = scratchDirectory();
    const cache = new ProgramCache({ directory });
    const request = requestOf("kernel void f() {}");
    await store(cache, request);
    const [name = ""] = listEntries(directory).entries;
    const file = path.join(directory, name);
    for (const mode of [0o666, 0o620, 0o602]) {
      fs.chmodSync(file, mode);
      expect(await lookup(cache, request)).toBeUndefined();
    }
    await store(cache, request);
    expect(await lookup(cache, request)).toEqual(PROGRAM);
  });

  test("ignores an entry that belongs to another user or is not a regular file", async () => {
    const directory = scratchDirectory();
    const cache = new ProgramCache({ directory });
    await store(cache, requestOf("a"));
    const [name = ""] = listEntries(directory).entries;
    const file = path.join(directory, name);
    if (process.geteuid?.() === 0) fs.chownSync(file, 65_534, 65_534);
    else fs.rmSync(file);
    expect(await lookup(cache, requestOf("a"))).toBeUndefined();
    fs.rmSync(file, { force: true });
    fs.mkdirSync(file);
    expect(await lookup(cache, requestOf("a"))).toBeUndefined();
    await store(cache, requestOf("a"));
    expect(listEntries(directory).others).toEqual([]);
  });
});

describe("the cache configured by the environment", () => {
  test("reads directory and size from the variables", async () => {
    const base = scratchDirectory();
    const cache = ProgramCache.fromEnvironment({ CL_CACHE_DIR: base, CL_CACHE_MAX_BYTES: "10" });
    expect(cache.directory).toBe(path.join(base, "programs-v1"));
    await cache.store(requestOf("a"), PROGRAM);
    expect(listEntries(path.join(base, "programs-v1")).entries).toEqual([]);
  });

  test("is disabled by CL_NO_CACHE or without a home directory", () => {
    expect(ProgramCache.fromEnvironment({ CL_NO_CACHE: "1", HOME: "/x" }).reason).toBe("CL_NO_CACHE is set");
    expect(ProgramCache.fromEnvironment({}).lookupSync(requestOf("a"))).toBeUndefined();
  });
});

describe("a cache key", () => {
  const parts: CacheKeyParts = {
    source: "s",
    options: ["-Da", "-Db"],
    headers: [["h", "x"]],
    identity: ["p", "d"],
    workingDirectory: undefined,
  };
  const different: readonly (readonly [string, Partial<CacheKeyParts>])[] = [
    ["the source", { source: "s " }],
    ["an option", { options: ["-Da", "-Dc"] }],
    ["the order of options", { options: ["-Db", "-Da"] }],
    ["the boundary between options", { options: ["-Da-Db"] }],
    ["a header's name", { headers: [["i", "x"]] }],
    ["a header's content", { headers: [["h", "y"]] }],
    ["a header's absence", { headers: [] }],
    ["the driver", { identity: ["p", "e"] }],
    ["the split between options and identity", { options: ["-Da"], identity: ["-Db", "p", "d"] }],
    ["the working directory", { workingDirectory: "/somewhere" }],
  ];
  test.each(different)("differs with %s", (_name, change) => {
    expect(cacheKey({ ...parts, ...change }, {})).not.toBe(cacheKey(parts, {}));
  });

  test("differs with an environment variable that affects compilation, and with no other", () => {
    expect(cacheKey(parts, { POCL_EXTRA_BUILD_FLAGS: "-g" })).not.toBe(cacheKey(parts, {}));
    expect(cacheKey(parts, { HOME: "/x" })).toBe(cacheKey(parts, {}));
  });

  test("is the same for two spellings of an option", async () => {
    const cache = new ProgramCache({ directory: scratchDirectory() });
    await cache.store(requestOf("a", { options: ["-D", "X=1", " -w "] }), PROGRAM);
    expect(await cache.lookup(requestOf("a", { options: ["-DX=1", "", "-w"] }))).toEqual(PROGRAM);
  });
});

function flip(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  copy[copy.length >> 1] = (copy[copy.length >> 1] ?? 0) ^ 1;
  return copy;
}

function age(file: string, hours: number): void {
  const time = new Date(Date.now() - hours * 3_600_000);
  fs.utimesSync(file, time, time);
}

function listen(): CacheMessage[] {
  const messages: CacheMessage[] = [];
  const listener = (message: unknown): void => void messages.push(message as CacheMessage);
  subscribe("cl:cache", listener);
  onTestFinished(() => void unsubscribe("cl:cache", listener));
  return messages;
}
