import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { runScript, scriptFolder, type ScriptResult } from "./support/script-folder.js";

const folder = scriptFolder();
const cacheFolder = mkdtempSync(path.join(tmpdir(), "cl-cache-test-"));
const script = path.join(folder.path, "build.mjs");

beforeAll(() => {
  writeFileSync(script, scriptText);
});
afterAll(() => {
  folder.remove();
  rmSync(cacheFolder, { recursive: true, force: true });
});

// Builds, launches and prints [whether it was cached, the cache's messages, the result, the argument names].
const scriptText = `
import { subscribe } from "node:diagnostics_channel";
import { CommandQueue, Context, DeviceBuffer, KernelArgInfo, Program } from "@cl/core";
const settings = { source: undefined, options: undefined, cache: true, sync: false, again: 1, launch: true, ...JSON.parse(process.argv[2] ?? "{}") };
const report = { builds: [], events: [] };
process.on("exit", () => console.log(JSON.stringify(report)));
subscribe("cl:build", ({ cached }) => report.builds.push(cached));
subscribe("cl:cache", ({ event }) => report.events.push(event));
const context = Context.create();
const queue = new CommandQueue(context);
const source = settings.source ?? "__kernel void scale(__global float *x, float by) { x[get_global_id(0)] *= by * FACTOR; }";
const options = settings.options ?? "-DFACTOR=2";
for (let i = 0; i < settings.again; i++) {
  const program = new Program(context, source);
  if (settings.pointer) program.pointer;
  if (settings.sync) program.buildSync({ options, cache: settings.cache });
  else await program.build({ options, cache: settings.cache });
  const device = context.devices[0];
  Object.assign(report, { log: program.log(device), options: program.options(device), source: program.source === source });
  if (settings.launch) {
    const x = DeviceBuffer.from(context, Float32Array.of(1, 2, 3));
    const kernel = program.kernel("scale");
    kernel.launch(queue, { global: 3, local: 1 }, x, 10);
    report.result = [...(await queue.read(x, Float32Array))];
    report.args = [kernel.argTypes, kernel.argNames];
    report.info = [0, 1].map((i) => Object.values(KernelArgInfo).map((param) => [...kernel.getArgInfo(i, param)]));
    try {
      kernel.getArgInfo(0, 1);
    } catch (error) {
      report.unknown = error.code;
    }
    if (settings.rebuild) {
      kernel.release();
      await program.build({ options: "-DFACTOR=3", cache: false });
      program.kernel("scale").launch(queue, { global: 3, local: 1 }, x, 1);
      report.rebuilt = [...(await queue.read(x, Float32Array))];
    }
  }
}
`;

interface Report {
  readonly builds: readonly boolean[];
  readonly events: readonly string[];
  readonly result?: readonly number[];
  readonly rebuilt?: readonly number[];
  readonly args?: unknown;
  readonly info?: readonly unknown[];
  readonly unknown?: string;
  readonly log?: string;
  readonly options?: string;
  readonly source?: boolean;
}

async function build(settings: object = {}, env: NodeJS.ProcessEnv = {}): Promise<Report> {
  const result: ScriptResult = await runScript(script, [JSON.stringify(settings)], {
    CL_CACHE_DIR: cacheFolder,
    CL_NO_CACHE: "",
    ...env,
  });
  expect(result).toMatchObject({ code: 0, stderr: expect.not.stringContaining("Error") as string });
  return JSON.parse(result.stdout) as Report;
}

describe("the disk cache of programs", () => {
  test("is filled after the first launch in a process, and used by the next process", async () => {
    const first = await build();
    expect(first).toMatchObject({ builds: [false], events: ["miss", "store"], result: [20, 40, 60] });
    const second = await build();
    expect(second).toMatchObject({ builds: [true], events: ["hit"], result: [20, 40, 60] });
  });

  test("keeps what binaries lack: options, source, and the arguments' names and types", async () => {
    const report = await build();
    expect(report.builds).toEqual([true]);
    expect(report.args).toEqual([
      ["float*", "float"],
      ["x", "by"],
    ]);
    expect(report).toMatchObject({ options: "-DFACTOR=2 -cl-kernel-arg-info", source: true });
  });

  test("returns the same raw argument info as a build from source", { tags: "ci" }, async () => {
    await build();
    const [cached, fresh] = [await build(), await build({ cache: false })];
    expect([...cached.builds, ...fresh.builds]).toEqual([true, false]);
    expect(fresh.info?.[0]).toHaveLength(5);
    expect(cached.info).toEqual(fresh.info);
    expect(fresh.unknown).toBe("CL_INVALID_VALUE");
    expect(cached.unknown).toBe(fresh.unknown);
  });

  test("is disabled by the caller's option or the environment", async () => {
    expect(await build({ cache: false })).toMatchObject({ builds: [false], events: [] });
    expect(await build({}, { CL_NO_CACHE: "1" })).toMatchObject({ builds: [false], events: [] });
  });

  test("does not store a program whose address other code has", { tags: "ci" }, async () => {
    expect(await build({ pointer: true })).toMatchObject({ builds: [false], events: [] });
  });

  test("allows a cached program to be rebuilt", { tags: "ci" }, async () => {
    const report = await build({ rebuild: true });
    expect(report.builds).toEqual([true, false]);
    expect(report.rebuilt).toEqual([60, 120, 180]);
  });
});
