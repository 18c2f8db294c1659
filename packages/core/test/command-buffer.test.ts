/** Command buffers: recording, execution, misuse and lifetimes. */
import { beforeEach, describe, expect, test } from "vitest";
import {
  CommandBuffer,
  CommandBufferState,
  CommandQueue,
  Context,
  DeviceBuffer,
  handleCount,
  NotSupportedError,
  Program,
  SvmAllocation,
  UserEvent,
} from "@cl/core";

import { disposed } from "@cl/testing/core-errors";
import { wrongState, wrongType } from "@cl/testing/error-like";
import { context, device, kernelOf, queue } from "./support/kernels.js";
import { runWithFake } from "@cl/testing/fake-opencl/run";
import { onFake } from "./support/on-fake.js";
import { needs } from "@cl/base/testing";

const add = kernelOf("__kernel void add(__global float *x, float a) { x[get_global_id(0)] += a; }");

describe("on a device", () => {
  beforeEach((run) => {
    needs(run, device.hasExtension("cl_khr_command_buffer"), `'${device.name}' has no command buffers`);
  });

  test("a command buffer of kernels, copies, fills and barriers is recorded once and can run repeatedly", async () => {
    const x = DeviceBuffer.from(context, new Float32Array(16));
    const y = DeviceBuffer.empty(context, Float32Array, 16);
    const z = DeviceBuffer.empty(context, Float32Array, 16);
    using step = new CommandBuffer(queue, { label: "step" });
    expect(step.state).toBe(CommandBufferState.RECORDING_KHR);
    step
      .push(add.bind({ global: 16 }, x, 2))
      .pushBarrier()
      .pushCopy(y, x)
      .pushFill(z, 7)
      .pushFill(z, 9, { offset: 8, bytes: 4 });
    expect(step.finalized).toBe(false);
    step.finalize();
    expect(step).toMatchObject({ length: 5, finalized: true, queue, context, properties: [] });
    expect(String(step)).toBe('CommandBuffer "step" { 5 commands, finalized }');
    for (let i = 1; i <= 3; i++) {
      const event = step.enqueue();
      await event.wait();
      expect(event.queue).toBe(queue);
      expect(await queue.read(y)).toEqual(new Float32Array(16).fill(2 * i));
    }
    expect((await queue.read(z)).slice(0, 4)).toEqual(Float32Array.of(7, 7, 9, 7));
    expect(step.referenceCount).toBeGreaterThanOrEqual(1);
  });

  test("a command buffer keeps its objects alive, and its arguments as they were recorded", async () => {
    const y = DeviceBuffer.from(context, new Float32Array(4));
    const x = DeviceBuffer.from(context, Float32Array.of(1, 2, 3, 4));
    const bound = add.bind({ global: 4 }, x, 10);
    using commands = new CommandBuffer(queue).push(bound).pushCopy(y, x).finalize();
    bound.setArg("a", 100);
    bound.release();
    x.release();
    await commands.enqueue().wait();
    expect(await queue.read(y)).toEqual(Float32Array.of(11, 12, 13, 14));
  });

  test("a command buffer keeps the memory that its kernels reach through pointers", async (run) => {
    needs(run, device.svmCapabilities !== 0, `'${device.name}' has no SVM`);
    const program = new Program(
      context,
      `typedef struct { __global float *values; } box;
       __kernel void set(__global box *b, __global float *x) { b->values = x; }
       __kernel void fill(__global box *b) { b->values[get_global_id(0)] = 1; }`,
    ).buildSync();
    for (let i = 0; i < 10; i++) {
      const svm = new SvmAllocation(context, 1 << 20);
      const pointer = DeviceBuffer.empty(context, Uint8Array, 8);
      program.kernel("set").launch(queue, { global: 1 }, pointer, svm);
      const fill = program.kernel("fill");
      fill.setSvmPointers([svm]);
      const bound = fill.bind({ global: 16 }, pointer);
      using commands = new CommandBuffer(queue).push(bound).finalize();
      for (const object of [bound, fill, svm]) object.release();
      // Without the command buffer's reference, usually at the same address.
      const other = new SvmAllocation(context, 1 << 20);
      queue.enqueueSvmFill(other, Float32Array.of(7));
      await commands.enqueue().wait();
      expect(new Float32Array((await queue.read(other)).buffer).every((value) => value === 7)).toBe(true);
      other.release();
    }
  });

  test("a command buffer released while it runs still completes", async () => {
    const x = DeviceBuffer.from(context, new Float32Array(64));
    for (let i = 0; i < 50; i++) {
      const commands = new CommandBuffer(queue).push(add.bind({ global: 64 }, x, 1)).finalize();
      commands.enqueue();
      commands.release();
      expect(commands.released).toBe(true);
    }
    await queue.finish();
    expect(await queue.read(x)).toEqual(new Float32Array(64).fill(50));
  });

  test("a command buffer with simultaneousUse can be pending several times", async () => {
    const x = DeviceBuffer.from(context, new Float32Array(4));
    const make = (): CommandBuffer => new CommandBuffer(queue, { simultaneousUse: true });
    if ((device.commandBufferCapabilitiesKhr & 4) === 0) {
      expect(make).toThrow(NotSupportedError);
      return;
    }
    using commands = make()
      .push(add.bind({ global: 4 }, x, 1))
      .finalize();
    for (let i = 0; i < 20; i++) commands.enqueue();
    await queue.finish();
    expect(await queue.read(x)).toEqual(new Float32Array(4).fill(20));
  });

  test("misuse throws before the driver is called", async () => {
    const x = DeviceBuffer.from(context, new Float32Array(4));
    const bound = add.bind({ global: 4 }, x, 1);
    using commands = new CommandBuffer(queue, { label: "step" });
    expect(() => commands.enqueue()).toThrow(wrongState());
    commands.push(bound).finalize();
    for (const late of [
      () => commands.push(bound),
      () => commands.pushCopy(x, x, { bytes: 0 }),
      () => commands.pushFill(x, 1),
      () => commands.pushBarrier(),
      () => commands.finalize(),
    ]) {
      expect(late).toThrow(wrongState());
    }
    const gate = new UserEvent(context);
    const event = commands.enqueue({ waitFor: gate });
    expect(event.status).toBeGreaterThan(0);
    expect(() => commands.enqueue()).toThrow(wrongState());
    gate.complete();
    await event.wait();
    await commands.enqueue().wait();
    const other = Context.create();
    using fresh = new CommandBuffer(queue);
    expect(() => fresh.pushFill(DeviceBuffer.empty(other, Float32Array, 4), 1)).toThrow(wrongType("target"));
    const gone = new CommandQueue(context);
    const orphan = new CommandBuffer(gone).push(bound).finalize();
    gone.release();
    expect(() => orphan.enqueue()).toThrow(disposed());
    orphan.release();
    expect(() => orphan.enqueue()).toThrow(disposed());
  });

  test("empty ranges record nothing and leak no handle", () => {
    const x = DeviceBuffer.from(context, new Float32Array(4));
    const bound = add.bind({ global: 0, allowEmpty: true }, x, 1);
    const before = handleCount();
    const commands = new CommandBuffer(queue).push(bound).pushCopy(x, x, { bytes: 0 });
    expect(commands.length).toBe(0);
    commands.release();
    expect(handleCount()).toBe(before);
  });
});

test("a command buffer with SVM may end on a driver's thread while its worker ends", { tags: "ci" }, async () => {
  const worker = `import("@cl/core").then(({ CommandBuffer, CommandQueue, Context, Program, SvmAllocation, UserEvent }) => {
    const context = Context.create();
    const queue = new CommandQueue(context);
    const f = new Program(context, "kernel void f(global float *x) { x[get_global_id(0)] += 1; }").buildSync().kernel("f");
    const gate = new UserEvent(context);
    for (let i = 0; i < 200; i++) {
      const svm = new SvmAllocation(context, 64);
      const bound = f.bind({ global: 16 }, svm);
      const commands = new CommandBuffer(queue).push(bound).finalize();
      commands.enqueue({ waitFor: gate }).release();
      for (const object of [bound, svm, commands]) object.release();
    }
    gate.complete();
  });`;
  const run = await runWithFake(
    `import { Worker } from "node:worker_threads";
     for (let i = 0; i < 20; i++) {
       const worker = new Worker(${JSON.stringify(worker)}, { eval: true });
       await new Promise((resolve, reject) => worker.on("exit", resolve).on("error", reject));
     }`,
    { env: { FAKE_CL_EXTENSIONS: "all" } },
  );
  expect(run).toMatchObject({ code: 0, stderr: "", report: { misuse: 0 } });
});

const script = `
  try {
    const program = new Program(context, "__kernel void f(__global float *x, float a) { }").buildSync();
    const x = DeviceBuffer.from(context, Float32Array.of(1, 2, 3, 4));
    const y = DeviceBuffer.empty(context, Float32Array, 4);
    const bound = program.kernel("f").bind({ global: 4 }, x, 1);
    const commands = new CommandBuffer(queue).push(bound).pushCopy(y, x).pushFill(x, 5).pushBarrier().finalize();
    for (const one of [bound, x]) one.release();
    commands.enqueue();
    commands.release();
    console.log([...(await queue.read(y))].join());
    for (const one of [y, program]) one.release();
  } catch (error) {
    console.log(error instanceof NotSupportedError, error.code, error.message);
  }`;

test.each(["0.9.4", "0.9.6"])(
  "on the fake driver with %s, no released object is used and no handle leaks",
  async (version) => {
    const { lines, report } = await onFake(script, { env: { FAKE_CL_EXTENSIONS: `cl_khr_command_buffer@${version}` } });
    expect(lines).toEqual(["1,2,3,4"]);
    expect(report).toMatchObject({ live: { commandBuffer: 0, mem: 0 } });
  },
);

test.each(["", "cl_khr_command_buffer@0.9.7"])(
  "throws without a supported version of the extension (%s) and makes no command-buffer call",
  async (extensions) => {
    const { lines, report } = await onFake(script, { env: { FAKE_CL_EXTENSIONS: extensions } });
    expect(lines[0]).toMatch(/^true ERR_CL_NOT_SUPPORTED .*cl_khr_command_buffer/);
    expect(report.calls["clCreateCommandBufferKHR"]).toBeUndefined();
  },
);

test("can be enqueued once its run has ended, even if the driver still reports it as pending", async () => {
  const { report } = await onFake(
    `
    const x = DeviceBuffer.empty(context, Int32Array, 4);
    const commands = new CommandBuffer(queue).pushFill(x, 1).finalize();
    for (let i = 0; i < 3; i++) await commands.enqueue().wait();`,
    { env: { FAKE_CL_EXTENSIONS: "cl_khr_command_buffer", FAKE_CL_COMMAND_BUFFERS: "late" } },
  );
  expect(report.calls).toMatchObject({ clEnqueueCommandBufferKHR: 5 });
});
