/** Runtimes added by path: order, threads, objects of several runtimes, errors. The libraries are variants of the fake. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync, copyFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addRuntime, NoRuntimeError } from "@cl/core";
import { buildFakeOpenCL } from "@cl/testing/fake-opencl/build";
import { sample } from "@cl/testing/level";
import { lastResult, runModule } from "@cl/testing/run-module";
import { wrongType } from "@cl/testing/error-like";

let system: string;
/** A fake with another version, so that it is another file and lacks entry points. */
let added: string;
const folder = mkdtempSync(join(tmpdir(), "cl-runtimes-"));

beforeAll(async () => {
  system = await buildFakeOpenCL();
  added = await buildFakeOpenCL({ version: "1.2" });
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a script that has `added`, the path of the second library, and returns what it passes to `print`. */
async function run(script: string, env: Readonly<Record<string, string | undefined>> = {}): Promise<unknown> {
  const source = `
    import { writeSync } from "node:fs";
    import * as core from "@cl/core";
    const { addRuntime, Context, getPlatforms } = core;
    const added = process.env.ADDED_RUNTIME;
    const print = (value) => writeSync(1, JSON.stringify(value) + "\\n");
    const names = () => getPlatforms().map(({ runtime }) => runtime.name);
    const codeOf = (run) => { try { run(); return "nothing"; } catch (error) { return error.code; } };
    ${script}`;
  return lastResult(await runModule({ source, env: { CL_LIBRARY_PATH: system, ADDED_RUNTIME: added, ...env } }));
}

/** Returns an environment without an OpenCL library of the system: the dynamic linker stops at these files. */
function withoutSystem(): Readonly<Record<string, string | undefined>> {
  const libraries = join(folder, "broken");
  mkdirSync(libraries, { recursive: true });
  for (const name of ["libOpenCL.so.1", "libOpenCL.so"]) writeFileSync(join(libraries, name), "");
  return { CL_LIBRARY_PATH: undefined, LD_LIBRARY_PATH: libraries };
}

describe("getPlatforms", () => {
  test("lists added platforms once, after the system's, from the next call on", async () => {
    const link = join(folder, "link.so");
    symlinkSync(added, link);
    const result = await run(`
      const [first] = getPlatforms();
      for (const path of [added, added, ${JSON.stringify(link)}]) addRuntime(path, { name: "added" });
      addRuntime(process.env.CL_LIBRARY_PATH);
      const all = getPlatforms();
      const selected = ["added", "ADDED:0"].map((selector) => Context.create(selector).platform.runtime.name);
      const same = all[0] === first && getPlatforms()[1] === all[1];
      print({ runtimes: all.map(({ runtime }) => runtime), same, selected });`);
    expect(result).toEqual({
      runtimes: [
        { name: "system", path: system },
        { name: "added", path: added },
      ],
      same: true,
      selected: ["added", "added"],
    });
  });

  test(
    "lists only the added platforms if there is no system library, and every class works",
    { tags: "ci" },
    async () => {
      const result = await run(
        `
      const before = codeOf(getPlatforms);
      addRuntime(added);
      new core.CommandStatistics().release();
      new core.CommandTrace().release();
      print({ before, names: names(), first: Context.create().platform.runtime });`,
        withoutSystem(),
      );
      expect(result).toEqual({ before: "ERR_CL_NO_RUNTIME", names: [added], first: { name: added, path: added } });
    },
  );

  test("throws if CL_LIBRARY_PATH cannot be opened, although a runtime was added", { tags: "ci" }, async () => {
    const script = `addRuntime(added); print([codeOf(getPlatforms)]);`;
    expect(await run(script, { CL_LIBRARY_PATH: "/nonexistent/libOpenCL.so" })).toEqual(["ERR_CL_NO_RUNTIME"]);
  });

  test("throws a NoRuntimeError with all paths if no runtime has a platform", { tags: "ci" }, async () => {
    const script = `addRuntime(added); try { getPlatforms(); } catch (error) { print(error.tried); }`;
    expect(await run(script, { FAKE_CL_PLATFORMS: "0" })).toEqual([system, added]);
  });
});

test.each([false, true])(
  "events of released queues are timed by their own runtimes (reversed: %s)",
  async (reversed) => {
    const result = await run(`
    addRuntime(added);
    const platforms = getPlatforms();
    print((${reversed} ? platforms.toReversed() : platforms).map((platform) => {
      const context = new Context(platform.devices[0]);
      const queue = new core.CommandQueue(context, { profiling: true });
      const event = queue.enqueueFill(core.DeviceBuffer.empty(context, Float32Array, 16), 1);
      queue.finishSync();
      queue.release();
      const { count, failed, untimed } = new core.CommandStatistics().add(event).snapshot();
      return [count, failed, untimed];
    }));`);
    expect(result).toEqual([
      [1, 0, 0],
      [1, 0, 0],
    ]);
  },
);

describe("addRuntime", () => {
  test("throws if the library is missing, broken or without OpenCL", () => {
    const text = join(folder, "text.so");
    writeFileSync(text, "no library");
    expect(() => addRuntime(join(folder, "missing.so"))).toThrow(NoRuntimeError);
    expect(() => addRuntime(text)).toThrow(NoRuntimeError);
    const library = join(folder, "empty.so");
    execFileSync(process.env["CXX"] ?? "g++", ["-shared", "-x", "c++", "/dev/null", "-o", library]);
    expect(() => addRuntime(library)).toThrow(NoRuntimeError);
  });

  test.each([
    ["/lib.so", { name: "system" }, wrongType("options.name")],
    ["/lib.so", { name: "" }, wrongType("options.name")],
    ["/lib.so", { environment: { "A=B": "1" } }, wrongType("options.environment")],
    ["/lib.so", { environment: { A: 1 } }, wrongType("options.environment.A")],
  ])("rejects %j with %j", (path, options, message) => {
    expect(() => addRuntime(path, options as object)).toThrow(message);
  });

  test("adds at most three libraries", { tags: "ci" }, async () => {
    const copies = Array.from({ length: 4 }, (_, i) => join(folder, `copy-${i}.so`));
    for (const copy of copies) copyFileSync(added, copy);
    const script = `
      const codes = ${JSON.stringify(copies)}.map((copy) => codeOf(() => addRuntime(copy)));
      print({ codes, count: getPlatforms().length });`;
    const codes = [...Array<string>(3).fill("nothing"), "ERR_INVALID_ARG_VALUE"];
    expect(await run(script)).toEqual({ codes, count: 4 });
  });

  test("sets unset environment variables only while the library finds its devices", async () => {
    const library = join(folder, "prints.so");
    execFileSync(process.env["CXX"] ?? "g++", ["-shared", "-fPIC", "-x", "c++", "-", "-o", library], {
      input: `
        #include <cstdlib>
        #include <cstdio>
        static int calls, platform;
        extern "C" int clGetPlatformIDs(unsigned, void** list, unsigned* count) {
          if (list) *list = &platform;
          if (count) *count = 1;
          return 0;
        }
        extern "C" int clGetDeviceIDs(void*, unsigned long, unsigned, void**, unsigned* count) {
          const char *a = getenv("SETTING_A"), *b = getenv("SETTING_B");
          fprintf(stderr, "%d %s %s\\n", ++calls, a ? a : "none", b ? b : "none");
          if (count) *count = 0;
          return -1;
        }`,
    });
    const source = `
      import { addRuntime, getPlatforms } from "@cl/core";
      addRuntime(${JSON.stringify(library)}, { environment: { SETTING_A: "added", SETTING_B: "added" } });
      getPlatforms();
      getPlatforms().at(-1).devices;
      console.log(JSON.stringify([process.env.SETTING_A ?? "none", process.env.SETTING_B]));`;
    const end = await runModule({ source, env: { CL_LIBRARY_PATH: system, SETTING_B: "given" } });
    expect(lastResult(end)).toEqual(["none", "given"]);
    expect(end.stderr).toBe("1 added given\n2 none given\n");
  });
});

describe("objects", () => {
  test("call the entry points of their own runtime", async () => {
    const result = await run(`
      addRuntime(added);
      print(getPlatforms().map(({ devices: [device] }) => codeOf(() => device.hostTimer())));`);
    expect(result).toEqual(["nothing", "ERR_CL_NOT_SUPPORTED"]);
  });

  test("of two runtimes cannot be combined", async () => {
    const result = await run(`
      addRuntime(added);
      const [system, other] = getPlatforms();
      const properties = new core.ContextProperties({ platform: other });
      const [a, b] = [system, other].map((platform) => new Context(platform.devices[0]));
      const event = new core.UserEvent(b);
      print([
        codeOf(() => new Context([...system.devices, ...other.devices])),
        codeOf(() => new Context(system.devices, { properties })),
        codeOf(() => new core.CommandQueue(a).enqueueMarker([event])),
        codeOf(() => core.waitForEventsSync([new core.UserEvent(a), event])),
      ]);`);
    expect(result).toEqual([
      "ERR_INVALID_ARG_TYPE",
      "CL_INVALID_PLATFORM",
      "ERR_INVALID_ARG_VALUE",
      "ERR_INVALID_ARG_VALUE",
    ]);
  });
});

describe("threads", () => {
  const use = (runtime: string, version: string): unknown => ({
    runtime,
    version,
    refused: "ERR_CL_DEADLOCK",
    calls: 1,
    values: [1, 2, 3],
    ours: true,
  });
  const both = [use("system", "OpenCL 3.0"), use("added", "OpenCL 1.2")];
  const later = ["system", "added"];

  const cases = [
    ["all threads add it", [1, 1, 3], { own: both, others: [both, both, both], later }],
    ["the main thread adds it", [1, 0, 2], { own: both, others: [both, both], later }],
    ["a worker adds it", [0, 1, 1], { own: [], others: [both], later }],
  ] as const;
  test.each(sample(cases, 1))("all list and use an added runtime if %s", async (_, args, expected) => {
    const file = new URL("fixtures/two-runtimes.mjs", import.meta.url);
    const env = { CL_LIBRARY_PATH: system, ADDED_RUNTIME: added };
    expect(lastResult(await runModule({ file, args: args.map(String), env }))).toEqual(expected);
  });
});
