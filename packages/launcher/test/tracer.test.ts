import { spawn } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

import {
  CopyLauncher,
  FillLauncher,
  formatLaunch,
  HostLauncher,
  IterativeLauncher,
  KernelLauncher,
  type LaunchDescription,
  ListLauncher,
  Tracer,
} from "@cl/launcher";
import { sample } from "@cl/testing/level";
import { describe, expect, test } from "vitest";

import { ints, program, queue } from "./support/device.js";
import { useFolder } from "./support/cache-folder.js";
import { wrongType } from "@cl/testing/error-like";

const x = ints(0, 0, 0, 0);
x.label = "x";
const y = ints(0, 0, 0, 0);

describe("a tracer", () => {
  test("is notified before each launch, with its name, sizes and arguments", async () => {
    const launches: LaunchDescription[] = [];
    const tracer = new Tracer((launch) => launches.push(launch));
    const add = new KernelLauncher("add", program.kernel("add"), { args: [x], parameters: ["a"], global: 4, tracer });
    add.launch(queue, { a: 7 });
    add.enqueue(queue, { a: 8 }, { global: [2], local: [1] }).release();
    expect(() => add.launch(queue, { a: "9" as never })).toThrow(wrongType());
    expect(launches).toMatchObject([
      { name: "add", kind: "kernel", lists: [], global: [4], local: undefined },
      { name: "add", global: [2], local: [1] },
    ]);
    expect(launches.map(formatLaunch)).toEqual([
      expect.stringMatching(/^kernel add \[4\] \(x: DeviceBuffer "x" .*, a: 7\)$/),
      expect.stringMatching(/^kernel add \[2\] by \[1\] \(x: DeviceBuffer "x" .*, a: 8\)$/),
    ]);
    await queue.finish();
  });

  test("of a list is notified of each member in order, with its enclosing lists", async () => {
    const launches: string[] = [];
    const own: string[] = [];
    const tracer = new Tracer((launch) => launches.push(formatLaunch(launch)));
    const add = new KernelLauncher("add", program.kernel("add"), { args: [x], parameters: ["a"], global: 4 });
    const fill = new FillLauncher("clear", { target: y, pattern: 0, tracer: new Tracer(({ name }) => own.push(name)) });
    const inner = new ListLauncher("inner").push(fill, new CopyLauncher("copy", { source: x, target: y }));
    const list = new ListLauncher("list", { tracer }).push(add, inner);
    list.launch(queue, { a: 1 });
    const expected = [
      expect.stringMatching(/^kernel list > add \[4\] \(x: .*, a: 1\)$/),
      expect.stringMatching(/^fill list > inner > clear \(DeviceBuffer .*, 16 bytes\)$/),
      expect.stringMatching(/^copy list > inner > copy \(DeviceBuffer "x" .*, to DeviceBuffer .*, 16 bytes\)$/),
    ];
    expect(launches).toEqual(expected);
    expect(own).toEqual(["clear"]);
    const table = list.parameterTable();
    table.values[0] = 3;
    table.launch(queue);
    expect(launches[3]).toMatch(/^kernel list > add \[4\] \(x: .*, a: 3\)$/);
    expect(launches).toHaveLength(6);
    // A list launched alone does not notify the tracer of the outer list.
    inner.launch(queue);
    expect(launches).toHaveLength(6);
    await queue.finish();
  });

  test("is notified of iterations once, and of host functions with their values", async () => {
    const launches: string[] = [];
    const tracer = new Tracer((launch) => launches.push(formatLaunch(launch)));
    const sweep = new IterativeLauncher("sweep", program.kernel("digits"), {
      args: { x },
      parameters: ["i", "j"],
      iterate: { j: [1, 2] },
      global: 1,
      tracer,
    });
    sweep.launch(queue, { i: 5 });
    const host = new HostLauncher("note", () => undefined, { parameters: { t: "number" }, tracer });
    await queue.finish();
    await host.enqueue(queue, { t: 0.5 }).wait();
    expect(launches).toEqual([
      expect.stringMatching(/^kernel sweep \[1\] \(x: DeviceBuffer .*, i: 5, j: 'each'\)$/),
      "host note (t: 0.5)",
    ]);
  });

  test("is notified only of launches that pass its filter, including announced ones", () => {
    const names: string[] = [];
    const tracer = new Tracer(({ name }) => names.push(name), { filter: /^a/ });
    expect(["add", "mix"].map((name) => tracer.shouldTrace(name))).toEqual([true, false]);
    for (const name of ["add", "mix"]) {
      tracer.announce({ name, kind: "kernel", lists: [], args: [] });
      new FillLauncher(name, { target: y, pattern: 0, tracer }).launch(queue);
    }
    expect(names).toEqual(["add", "add"]);
    expect(() => new Tracer(7 as never)).toThrow(wrongType("announce"));
    expect(() => new Tracer(() => undefined, { filter: 7 as never })).toThrow(wrongType("options.filter"));
  });
});

/** Runs a program without tracing code in an environment, and returns its output. */
async function run(env: Record<string, string>): Promise<{ stdout: string; stderr: string }> {
  const [core, own] = ["@cl/core", "@cl/launcher"].map((name) => JSON.stringify(import.meta.resolve(name)));
  const source = `
    import { CommandQueue, Context, DeviceBuffer } from ${core};
    import { FillLauncher, ListLauncher } from ${own};
    const context = Context.create();
    const x = DeviceBuffer.empty(context, Int32Array, 16);
    const queue = new CommandQueue(context, { profiling: process.env.NO_PROFILING === undefined });
    const fills = ["one", "two"].map((name) => new FillLauncher(name, { target: x, pattern: 0 }));
    const list = new ListLauncher("list").push(...fills);
    for (let n = 0; n < 3; n++) list.launch(queue);
    console.log("done");
    if (process.env.BY_ITSELF === undefined) process.exit(0);`;
  const child = spawn(process.execPath, ["--input-type=module"], {
    cwd: fileURLToPath(new URL("..", import.meta.url)),
    env: { ...process.env, CL_TRACE: "", CL_PROFILE: "", NODE_OPTIONS: "", ...env },
  });
  child.stdin.end(source);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { stdout, stderr };
}

describe("with environment variables only,", () => {
  const folder = useFolder();

  test("nothing is printed by default", { tags: "ci" }, async () => {
    expect(await run({ CL_TRACE: "0", CL_PROFILE: "0" })).toEqual({ stdout: "done\n", stderr: "" });
  });

  test("CL_TRACE prints each launch, or those of selected launchers, to stderr", async () => {
    const line = (name: string): string =>
      expect.stringMatching(`^fill list > ${name} \\(DeviceBuffer .*, 64 bytes\\)$`) as string;
    for (const [value, names] of [
      ["1", ["one", "two"]],
      ["none, tw", ["two"]],
    ] as const) {
      const { stderr } = await run({ CL_TRACE: value });
      const launch = names.map(line);
      expect(stderr.trimEnd().split("\n")).toEqual([...launch, ...launch, ...launch]);
    }
  });

  test("CL_PROFILE prints a table to stderr at exit", async () => {
    const { stdout, stderr } = await run({ CL_PROFILE: "1" });
    expect(stdout).toBe("done\n");
    const [head, ...rows] = stderr.trimEnd().split("\n");
    expect(head).toMatch(/^name +kind +count +total/);
    expect(rows.map((row) => row.replace(/^(\S+ +\S+ +\d+).*$/, "$1").replaceAll(/ +/g, " ")).toSorted()).toEqual([
      "one fill 3",
      "two fill 3",
    ]);
  });

  test("CL_PROFILE says so if there was nothing to time", { tags: "ci" }, async () => {
    expect((await run({ CL_PROFILE: "1", NO_PROFILING: "1" })).stderr).toMatch(
      /^CL_PROFILE: No commands were recorded\. /,
    );
  });

  test("CL_PROFILE reports why a file cannot be written, and leaves no temporary files", { tags: "ci" }, async () => {
    await mkdir(path.join(folder(), "rows.csv"));
    await writeFile(path.join(folder(), "file"), "");
    const taken = await run({ CL_PROFILE: path.join(folder(), "rows.csv") });
    expect(taken).toEqual({
      stdout: "done\n",
      stderr: expect.stringMatching(/^CL_PROFILE: path must be that of a file, received the folder .*\n$/),
    });
    const { stderr } = await run({ CL_PROFILE: path.join(folder(), "file", "rows.csv") });
    expect(stderr).toMatch(/^CL_PROFILE: ENOTDIR/);
    expect((await readdir(folder())).toSorted()).toEqual(["file", "rows.csv"]);
  });

  test("CL_PROFILE writes files at exit, in the format of their extension", async () => {
    for (const name of sample(["rows.json", "new/rows.csv", "report.html", "run.trace.json"], 2)) {
      const file = path.join(folder(), name);
      expect(await run({ CL_PROFILE: file })).toEqual({ stdout: "done\n", stderr: "" });
      expect(await readFile(file, "utf8")).toContain("two");
    }
    expect((await run({ CL_PROFILE: "rows.xml", BY_ITSELF: "1" })).stderr).toContain("CL_PROFILE must be 1 or a file");
  });
});
