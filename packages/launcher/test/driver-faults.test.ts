/** Launches that the driver rejects, on the fake OpenCL library. */
import { randomUUID } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeEach, expect, test } from "vitest";

import { buildFakeOpenCL } from "@cl/testing/fake-opencl/build";
import type { FakeReport } from "@cl/testing/fake-opencl/run";
import { needs } from "@cl/base/testing";
import { resultOfModule } from "./support/child.js";

/** Runs a module body that sets `result` on the fake library, and checks for leaks and misuse. Also counts the calls. */
async function onFake(body: string): Promise<{ readonly result: unknown; readonly calls: FakeReport["calls"] }> {
  const report = path.join(tmpdir(), `cl-launcher-${randomUUID()}.json`);
  const script = `
    import { CommandQueue, Context, DeviceBuffer, Program } from "@cl/core";
    import { CopyLauncher, ElementwiseLauncher, FillLauncher, HostLauncher, IterativeLauncher, KernelLauncher, ListLauncher, tune } from "@cl/launcher";
    const failing = (what) => (process.env.FAKE_CL_FAIL = what);
    const message = (work) => { try { work(); return ""; } catch (error) { return error.message; } };
    const rejection = (work) => work.then(() => "", (error) => error.message);
    const context = Context.create();
    const program = await new Program(context, "__kernel void add(__global int *x, int a) { }").build();
    const queues = [new CommandQueue(context), new CommandQueue(context, { outOfOrder: true })];
    const x = DeviceBuffer.from(context, new Int32Array(16));
    const y = DeviceBuffer.from(context, new Int32Array(16));
    const kernel = (name, options) => new KernelLauncher(name, program, { args: [x], parameters: ["a"], global: 16, ...options });
    let result;
    ${body}
    console.log(JSON.stringify(result));`;
  try {
    const env = { CL_LIBRARY_PATH: await buildFakeOpenCL(), FAKE_CL_REPORT: report, CL_NO_CACHE: "1", CL_DEVICE: "" };
    const result = await resultOfModule(script, env);
    const { live, misuse, notes, calls } = JSON.parse(await readFile(report, "utf8")) as FakeReport;
    expect({ misuse, notes }).toEqual({ misuse: 0, notes: [] });
    expect(Object.entries(live).filter(([, count]) => count > 0)).toEqual([]);
    return { result, calls };
  } finally {
    await rm(report, { force: true });
  }
}

beforeEach((run) => needs(run, process.platform === "linux", "the fake library is for Linux"));

test("an error names the rejected kernel of a list, and the list can be launched again", async () => {
  const { result } = await onFake(`
    result = {};
    for (const order of ["sequential", "parallel", "graph"]) {
      for (const queue of queues) {
        const list = new ListLauncher("timestep", { order }).push(kernel("one"), kernel("two"), kernel("three"));
        list.launch(queue, { a: 1 });
        const messages = [];
        for (let n = 1; n <= 3; n++) {
          failing("clEnqueueNDRangeKernel@" + n + "=-5");
          messages.push(message(() => list.launch(queue, { a: n })));
          failing("clEnqueueNDRangeKernel@" + n + "=-4");
          messages.push(message(() => list.enqueue(queue, { a: n })));
          failing("");
          list.launch(queue, { a: n });
          await list.enqueue(queue, { a: n }).wait();
        }
        result[order + " " + queue.outOfOrder] = messages;
      }
    }`);
  const names = ["one", "two", "three"];
  for (const [mode, messages] of Object.entries(result as Record<string, readonly string[]>)) {
    for (const [i, message] of messages.entries()) {
      const code = i % 2 === 0 ? "CL_OUT_OF_RESOURCES" : "CL_MEM_OBJECT_ALLOCATION_FAILURE";
      expect(message, mode).toMatch(new RegExp(`^list "timestep": .*"?${names[i >> 1]}"?.*${code}`));
    }
  }
  expect(Object.keys(result as object)).toHaveLength(6);
});

test("an error names a rejected copy, fill, iteration or host step in a nested list", async () => {
  const { result } = await onFake(`
    const members = {
      copy: new CopyLauncher("copy", { source: x, target: y }),
      fill: new FillLauncher("fill", { target: x, pattern: 1 }),
      read: new CopyLauncher("read", { source: x, target: new Int32Array(16) }),
      sweep: new IterativeLauncher("sweep", program, { args: [x], parameters: ["a"], iterate: { a: [1, 2, 3] }, global: 16 }),
      host: new HostLauncher("host", () => undefined),
    };
    const routines = {
      copy: "clEnqueueCopyBuffer", fill: "clEnqueueFillBuffer", read: "clEnqueueReadBuffer",
      sweep: "clEnqueueNDRangeKernel@3", host: "clCreateUserEvent",
    };
    result = [];
    for (const queue of queues) {
      for (const [name, member] of Object.entries(members)) {
        const list = new ListLauncher("outer").push(kernel("one"), new ListLauncher("inner").push(member));
        failing(routines[name] + "=-5");
        result.push([name, message(() => list.launch(queue, { a: 1 }))]);
        failing("");
        await list.enqueue(queue, { a: 1 }).wait();
      }
    }`);
  for (const [name, message] of result as readonly (readonly [string, string])[]) {
    expect(message, name).toMatch(new RegExp(`^list "outer": .*${name}.*CL_OUT_OF_RESOURCES`));
  }
  expect(result).toHaveLength(10);
});

test("a list whose recording fails is recorded at the next launch", async () => {
  const { result } = await onFake(`
    result = [];
    for (const routine of ["clCreateKernel", "clCloneKernel", "clSetKernelArg", "clEnqueueNDRangeKernel", "clCreateBuffer"]) {
      for (let n = 1; n <= 6; n++) {
        failing(routine + "@" + n + "=-6");
        const problem = message(() => {
          const list = new ListLauncher("list").push(kernel("one"), kernel("two", { args: [y] }), new FillLauncher("fill", { target: x, pattern: 2 }));
          for (const queue of queues) list.launch(queue, { a: 7 });
        });
        failing("");
        if (problem !== "" && !problem.includes("CL_OUT_OF_HOST_MEMORY")) result.push(routine + n + ": " + problem);
        const list = new ListLauncher("list").push(kernel("one"));
        await list.enqueue(queues[0], { a: 1 }).wait();
      }
    }`);
  expect(result).toEqual([]);
});

test("a profiler's trace has the commands and host functions that failed", async () => {
  const { result } = await onFake(`
    const { Profiler } = await import("@cl/launcher");
    const { checkTrace } = await import("@cl/trace");
    const profiler = new Profiler();
    const profiled = new CommandQueue(context, { profiling: true });
    const fill = new FillLauncher("fill", { target: x, pattern: 2, profiler });
    const host = new HostLauncher("bad", () => { throw new Error("no such luck"); }, { profiler });
    fill.launch(profiled);
    process.env.FAKE_CL_EVENTS = "error:-5";
    fill.launch(profiled);
    process.env.FAKE_CL_EVENTS = "";
    fill.launch(profiled);
    await rejection(host.enqueue(profiled).wait());
    profiled.finishSync();
    const { commands, hostSpans } = checkTrace(profiler.trace());
    result = {
      commands: commands.map(({ name, failed = "" }) => [name, failed]),
      spans: hostSpans.map(({ name, failed }) => [name, failed]),
      length: commands[1].ended - commands[1].queued,
    };`);
  expect(result).toEqual({
    commands: ["", "CL_OUT_OF_RESOURCES", ""].map((failed) => ["fill", failed]),
    spans: [["bad", "exception"]],
    length: 0,
  });
});

test("a failed event of the driver fails the list's event, but the list remains usable", async () => {
  const { result } = await onFake(`
    result = [];
    for (const queue of queues) {
      const list = new ListLauncher("list").push(kernel("one"), new CopyLauncher("copy", { source: x, target: y }));
      process.env.FAKE_CL_EVENTS = "error:-5";
      result.push(await rejection(list.enqueue(queue, { a: 1 }).wait()));
      process.env.FAKE_CL_EVENTS = "";
      result.push(await rejection(list.enqueue(queue, { a: 1 }).wait()));
    }`);
  const failed = expect.stringMatching(/CL_OUT_OF_RESOURCES|CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST/) as string;
  expect(result).toEqual([failed, "", failed, ""]);
});

test("tuning excludes candidates that any driver call rejects, with the reason", async () => {
  const { result } = await onFake(`
    result = {};
    const options = {
      source: "__kernel void add(__global int *x, int a) { }", args: [x, 1], global: 16, seconds: 0.01,
      parameters: { N: [1, 2, 3] }, local: [1, 4, null],
    };
    const tried = async (name) => {
      try {
        const { best, candidates } = await tune(queues[0], options);
        result[name] = [best.parameters.N, candidates.filter(({ reason }) => reason !== undefined).map(({ reason }) => reason)];
      } catch (error) {
        result[name] = error.message;
      }
      failing("");
    };
    failing("clBuildProgram@2=-11"); await tried("one build");
    failing("clBuildProgram=-11"); await tried("all builds");
    failing("clEnqueueNDRangeKernel@1=-5"); await tried("one launch");
    failing("clEnqueueNDRangeKernel=-54"); await tried("all launches");
    failing("clCreateBuffer=-4"); await tried("no room for the copy");
    failing("clCreateCommandQueueWithProperties=-6,clCreateCommandQueue=-6"); await tried("no queue");
    await tried("nothing");`);
  expect(result).toEqual({
    "one build": [expect.any(Number), [expect.stringContaining("CL_BUILD_PROGRAM_FAILURE")]],
    "all builds": expect.stringMatching(/^no candidate can run: .*CL_BUILD_PROGRAM_FAILURE/),
    "one launch": [expect.any(Number), [expect.stringContaining("CL_OUT_OF_RESOURCES")]],
    "all launches": expect.stringMatching(/^no candidate can run: .*CL_INVALID_WORK_GROUP_SIZE/),
    "no room for the copy": expect.stringMatching(/^no candidate can run: .*CL_MEM_OBJECT_ALLOCATION_FAILURE/),
    "no queue": expect.stringContaining("CL_OUT_OF_HOST_MEMORY"),
    nothing: [expect.any(Number), []],
  });
});

test("a list remains usable if its fused kernel cannot be built or launched", async () => {
  const { result, calls } = await onFake(`
    const options = { signature: "int *x, int a", body: "x[i] += a", args: { x }, parameters: ["a"] };
    const list = new ListLauncher("list").push(
      ElementwiseLauncher.createSync("one", context, options),
      ElementwiseLauncher.createSync("two", context, options),
    );
    const launch = () => list.launch(queues[0], { a: 1 });
    launch();
    result = [];
    for (const fail of ["clCreateProgramWithSource=-6", "clBuildProgram=-6", "clCreateKernel=-6,clCloneKernel=-6"]) {
      failing(fail);
      result.push(await rejection(list.fuse()));
      failing("");
      launch();
      result.push(list.fusions);
    }
    result.push((await list.fuse())[0].fused);
    launch();
    failing("clEnqueueNDRangeKernel=-6");
    result.push(message(launch));
    failing("");
    launch();`);
  const unbuilt = [expect.stringContaining("CL_OUT_OF_HOST_MEMORY"), []];
  expect(result).toEqual([
    ...unbuilt,
    ...unbuilt,
    ...unbuilt,
    true,
    expect.stringMatching(/^list "list": .*"one \+ two".*CL_OUT_OF_HOST_MEMORY/),
  ]);
  expect(calls["clEnqueueNDRangeKernel"]).toBe(2 + 3 * 2 + 1 + 1 + 1);
});

test("an error names the combination of an iteration, which can be launched again", async () => {
  const { result, calls } = await onFake(`
    const k = new Program(context, "__kernel void k(__global int *x, int i, int j) {}").buildSync();
    const iterate = { i: [1, 2, 3], j: [0, 1, 2, 3] };
    const sweep = new IterativeLauncher("sweep", k, { args: [x], parameters: ["i", "j"], iterate, global: 1 });
    const launch = (fail) => {
      failing(fail);
      return message(() => sweep.launch(queues[0]));
    };
    result = [launch("clEnqueueNDRangeKernel@7=-6"), launch("clSetKernelArg@4=-6"), launch("")];`);
  expect(result).toEqual([
    expect.stringMatching(
      /^launcher "sweep": clEnqueueNDRangeKernel failed: .*CL_OUT_OF_HOST_MEMORY.* \(i = 2, j = 2; 6 combinations before it were launched\)$/,
    ),
    expect.stringContaining("clSetKernelArg failed"),
    "",
  ]);
  expect(calls["clEnqueueNDRangeKernel"]).toBeGreaterThanOrEqual(7 + 12);
});
