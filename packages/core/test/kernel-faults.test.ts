/** Kernel behavior that needs a driver that fails on demand; see fake-opencl/README.md. */
import { describe, expect, test } from "vitest";

import type { FakeReport, RunOptions } from "@cl/testing/fake-opencl/run";
import { onFake } from "./support/on-fake.js";

const prelude = `
  const source = "__kernel void add(float a, __global const float *x, __global float *y) {}";
  const program = new Program(context, source).buildSync({ cache: false });
  const floats = (...values) => DeviceBuffer.from(context, Float32Array.from(values));
  const kernel = program.kernel("add");
`;

/** Runs a script, which must end without a failed assertion, an invalid driver call or a leaked event or kernel. */
const run = async (script: string, options: RunOptions = {}): Promise<FakeReport> =>
  (await onFake(prelude + script, options)).report;

describe("a runtime without argument information", () => {
  const env = { FAKE_CL_ARG_INFO: "absent" };

  test("accepts buffers and typed arrays, and numbers once types are declared", { tags: "ci" }, async () => {
    expect(
      await run(
        `
      assert.deepEqual(kernel.argNames, [undefined, undefined, undefined]);
      const x = floats(1);
      kernel.launch(queue, { global: 1 }, Float32Array.of(1), x, x);
      assert.throws(() => kernel.launch(queue, { global: 1 }, 1, x, x), /argument 0 .*with kernel\\.argTypes/);
      kernel.argTypes = ["float", null, null];
      kernel.launch(queue, { global: 1 }, 1, x, x);
      `,
        { env },
      ),
    ).toBeDefined();
  });

  test("rejects bytes for a memory parameter, because the driver would read them as an address", async () => {
    const report = await run(
      `
      const x = floats(1);
      for (const bytes of [new BigInt64Array(1), new Float64Array(1)]) {
        assert.throws(() => kernel.launch(queue, { global: 1 }, Float32Array.of(1), bytes, x), /^TypeError: argument 1 .*the kernel takes memory here/);
      }
      kernel.launch(queue, { global: 1 }, Float32Array.of(1), x, x);
      `,
      { env },
    );
    expect(report.calls["clEnqueueNDRangeKernel"]).toBe(1);
  });
});

describe("a runtime without clCloneKernel", () => {
  const absent = ["clCloneKernel"];

  test("clones and binds by creating another kernel with the same arguments", async () => {
    expect(
      await run(
        `
      const x = floats(1);
      kernel.setArgs(1, x, x);
      const clone = kernel.clone();
      clone.launchWithSetArgs(queue, { global: 1 });
      kernel.bind({ global: 1 }, 2, x, x).launch(queue);
      `,
        { absent },
      ),
    ).toBeDefined();
  });

  test("binds a kernel whose last arguments are released", { tags: "ci" }, async () => {
    expect(
      await run(
        `
      const gone = floats(1);
      kernel.launch(queue, { global: 1 }, 1, gone, gone);
      gone.release();
      kernel.bind({ global: 1 }, 2, floats(1), null).launch(queue);
      const clone = kernel.clone();
      assert.throws(() => clone.launchWithSetArgs(queue, { global: 1 }), /is not set/);
      `,
        { absent },
      ),
    ).toBeDefined();
  });
});

describe("a driver failure", () => {
  test("in clSetKernelArg names the argument, and the next launch sets it again", async () => {
    const report = await run(`
      const x = floats(1);
      process.env.FAKE_CL_FAIL = "clSetKernelArg@2=-49";
      assert.throws(() => kernel.launch(queue, { global: 1 }, 1, x, x), (error) => {
        assert.match(error.message, /^argument 1 "x" \\(float\\s?\\*\\) of kernel "add": clSetKernelArg failed: CL_INVALID_ARG_INDEX \\(-49\\)/);
        return error instanceof OpenCLError && error.code === "CL_INVALID_ARG_INDEX";
      });
      kernel.launch(queue, { global: 1 }, 1, x, x);
      kernel.launch(queue, { global: 1 }, 1, x, x);
    `);
    // Three arguments and the failed one; unchanged arguments are not set again.
    expect(report.calls["clSetKernelArg"]).toBe(4);
    expect(report.calls["clEnqueueNDRangeKernel"]).toBe(2);
  });

  test("in an enqueue leaks no event and no handle", async () => {
    const report = await run(`
      const x = floats(1);
      const bound = kernel.bind({ global: 1 }, 1, x, x);
      const list = new LaunchList(context).push(bound).pushFill(x, 1);
      const before = handleCount();
      process.env.FAKE_CL_FAIL = "clEnqueueNDRangeKernel=-6,clEnqueueMarkerWithWaitList=-5";
      for (const call of [
        () => kernel.launch(queue, { global: 1 }, 1, x, x),
        () => kernel.enqueue(queue, { global: 1 }, 1, x, x),
        () => kernel.enqueue(queue, { global: 0, allowEmpty: true }, 1, x, x),
        () => bound.launch(queue),
        () => bound.enqueue(queue),
        () => list.launch(queue),
        () => list.enqueue(queue),
      ]) assert.throws(call, OutOfMemoryError);
      assert.throws(() => list.launch(queue), /^OutOfMemoryError: command 0 \\(kernel "add"\\): clEnqueueNDRangeKernel failed/);
      assert.equal(handleCount(), before);
      process.env.FAKE_CL_FAIL = "clEnqueueFillBuffer=-5";
      assert.throws(() => list.launch(queue), /command 1 \\(fill\\): clEnqueueFillBuffer failed/);
    `);
    expect(report.live["event"] ?? 0).toBe(0);
  });

  test("in launchRows keeps the earlier launches and reports their number", { tags: "ci" }, async () => {
    const report = await run(`
      const x = floats(1);
      const bound = kernel.bind({ global: 1 }, 1, x, x);
      process.env.FAKE_CL_FAIL = "clEnqueueNDRangeKernel@3=-6";
      assert.throws(() => bound.launchRows(queue, ["a"], Float64Array.of(1, 2, 3, 4)), (error) => {
        assert.match(error.message, /^row 2: clEnqueueNDRangeKernel failed: CL_OUT_OF_HOST_MEMORY/);
        return error instanceof OutOfMemoryError && error.launched === 2;
      });
      process.env.FAKE_CL_FAIL = "clSetKernelArg@1=-5";
      assert.throws(() => bound.launchRows(queue, ["a"], Float64Array.of(1, 2)), (error) => {
        assert.match(error.message, /^row 0: clSetKernelArg failed/);
        return error.launched === 0;
      });
      process.env.FAKE_CL_FAIL = "";
      bound.launchRows(queue, ["a"], Float64Array.of(1, 2));
    `);
    expect(report.calls["clEnqueueNDRangeKernel"]).toBe(5);
  });

  test("in creating, cloning or describing a kernel throws and leaks no handle", { tags: "ci" }, async () => {
    const report = await run(`
      const x = floats(1);
      for (const fail of ["clCloneKernel=-6,clCreateKernel=-6", "clSetKernelArg=-5", "clCloneKernel=-59,clCreateKernel=-45"]) {
        process.env.FAKE_CL_FAIL = fail;
        assert.throws(() => kernel.bind({ global: 1 }, 1, x, x), OpenCLError);
      }
      process.env.FAKE_CL_FAIL = "clGetKernelInfo=-6";
      assert.throws(() => new Kernel(program, "add"), OpenCLError);
      process.env.FAKE_CL_FAIL = "";
      kernel.launch(queue, { global: 1 }, 1, x, x);
      program.kernel("add").release();
    `);
    expect(report.live["kernel"] ?? 0).toBe(0);
  });
});

test("only changed arguments reach the driver, and launch lists set none", async () => {
  const report = await run(`
    const [x, y] = [floats(1), floats(2)];
    for (let i = 0; i < 1000; i++) kernel.launch(queue, { global: 1 }, 1, x, y);
    const bound = kernel.bind({ global: 1 }, 1, x, y);
    const list = new LaunchList(context).push(bound);
    for (let i = 0; i < 1000; i++) list.launch(queue);
    for (let i = 0; i < 1000; i++) bound.setArg(0, 1);
  `);
  expect(report.calls["clSetKernelArg"]).toBe(3);
  expect(report.calls["clEnqueueNDRangeKernel"]).toBe(2000);
});

test("launches over empty ranges make no clEnqueueNDRangeKernel call", { tags: "ci" }, async () => {
  const report = await run(`
    const empty = { global: [3, 0, 2], allowEmpty: true };
    const x = floats(1);
    const bound = kernel.bind(empty, 1, x, x);
    kernel.launch(queue, empty, 1, x, x);
    kernel.enqueue(queue, empty, 1, x, x).release();
    kernel.launchAndFinishSync(queue, empty, 1, x, x);
    bound.launch(queue);
    bound.enqueue(queue).release();
    bound.launchAndFinishSync(queue);
    new LaunchList(context).push(bound).launch(queue);
  `);
  expect(report.calls["clEnqueueNDRangeKernel"]).toBeUndefined();
});
