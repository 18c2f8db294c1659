import { sample } from "@cl/testing/level";
/** Shared virtual memory on drivers with less or more support than the installed ones, and on drivers that fail. */
import { describe, expect, test } from "vitest";

import type { FakeReport, RunOptions } from "@cl/testing/fake-opencl/run";
import { onFake } from "./support/on-fake.js";

const prelude = `
  const source = "__kernel void add(float a, __global float *x) {}";
  const kernel = new Program(context, source).buildSync({ cache: false }).kernel("add");
  const failing = (rule, run) => {
    process.env.FAKE_CL_FAIL = rule;
    try { return run(); } finally { delete process.env.FAKE_CL_FAIL; }
  };
`;

const run = async (script: string, options: RunOptions = {}): Promise<FakeReport> =>
  (await onFake(prelude + script, options)).report;
const fine = { live: { svm: 0 } };

describe("a device without a kind of SVM", () => {
  const cases = [
    ["0", "{}"],
    ["1", '{ kind: "fine-buffer" }'],
    ["3", '{ kind: "fine-buffer", atomics: true }'],
  ];
  test.each(sample(cases, 1))("is rejected (capabilities %s)", async (capabilities, options) => {
    const script = `assert.throws(() => new SvmAllocation(context, 16, ${options}), NotSupportedError);`;
    expect(await run(script, { env: { FAKE_CL_SVM: capabilities } })).toMatchObject(fine);
  });
});

describe("a device with system SVM", () => {
  test("accepts any array, which stays in place until no command uses it", async () => {
    const result = await run(
      `
      const array = Float32Array.of(1, 2, 3, 4);
      const svm = new Svm(context, array);
      assert.equal(svm.kind, "fine-system");
      assert.equal(svm.mem, array);
      assert.equal(svm.size, 16);
      kernel.launch(queue, { global: 4 }, 1, svm);
      kernel.launch(queue, { global: 1 }, 1, svm.part(4));
      await queue.enqueueSvmFill(svm, 7, { offset: 8 }).wait();
      assert.deepEqual([...array], [1, 2, 7, 7]);
      kernel.setSvmPointers([svm]).setSvmFineGrainSystem(true);
      kernel.launch(queue, { global: 4 }, 1, svm);
      const buffer = svm.asBuffer();
      const target = new Float32Array(4);
      process.env.FAKE_CL_EVENTS = "manual";
      const copied = queue.enqueueCopy(target, svm);
      svm.release();
      assert.equal(svm.released, true);
      assert.throws(() => kernel.launch(queue, { global: 4 }, 1, svm), DisposedError);
      structuredClone(array, { transfer: [array.buffer] });
      queue.finishSync();
      await copied.wait();
      assert.deepEqual([...target], [1, 2, 7, 7]);
      buffer.release();
      kernel.setSvmFineGrainSystem(false);
    `,
      { env: { FAKE_CL_SVM: "15" } },
    );
    expect(result).toMatchObject(fine);
  });

  test("rejects detached or resizable memory", async () => {
    const result = await run(
      `
      const gone = new Float32Array(4);
      structuredClone(gone, { transfer: [gone.buffer] });
      assert.throws(() => new Svm(context, gone), { code: "ERR_INVALID_ARG_VALUE" });
      assert.throws(() => new Svm(context, new Uint8Array(new ArrayBuffer(8, { maxByteLength: 16 }))), { code: "ERR_INVALID_ARG_TYPE" });
    `,
      { env: { FAKE_CL_SVM: "7" } },
    );
    expect(result).toMatchObject(fine);
  });
});

describe("a failing driver call", () => {
  test("for allocation throws an OutOfMemoryError, and leaks nothing", async () => {
    const result = await run(`
      assert.throws(() => failing("clSVMAlloc=-6", () => new SvmAllocation(context, 16)), (error) => {
        assert.ok(error instanceof OutOfMemoryError);
        assert.equal(error.routine, "clSVMAlloc");
        return true;
      });
      assert.throws(() => failing("clRetainContext=-5", () => new SvmAllocation(context, 16)), OutOfMemoryError);
      assert.equal(handleCounts().svm, 0);
    `);
    expect(result).toMatchObject(fine);
  });

  test("for mapping or unmapping leaves the memory usable", { tags: "ci" }, async () => {
    const result = await run(`
      const memory = new SvmAllocation(context, 16);
      assert.throws(() => failing("clEnqueueSVMMap=-36", () => memory.mapSync(queue)), { routine: "clEnqueueSVMMap" });
      const mapped = memory.mapSync(queue);
      assert.throws(() => failing("clEnqueueSVMUnmap=-36", () => mapped.unmap()), { routine: "clEnqueueSVMUnmap" });
      assert.equal(mapped.released, true);
      memory.mapSync(queue).release();
      memory.release();
    `);
    expect(result).toMatchObject({ live: { svm: 0, map: 0 } });
  });

  test("for an enqueued release keeps the allocation, and new arrays can be created", async () => {
    const result = await run(`
      const memory = new SvmAllocation(context, 16, { queue });
      assert.throws(() => failing("clEnqueueSVMFree=-5", () => memory.enqueueRelease()), OutOfMemoryError);
      assert.equal(memory.released, false);
      await memory.enqueueRelease().wait();
      const shared = new SvmAllocation(context, 16, { kind: "fine-buffer", queue });
      const array = shared.array(Float32Array);
      array[0] = 5;
      // The array shares ownership of the memory, so the release only enqueues a marker.
      const rule = "clEnqueueMarkerWithWaitList=-5";
      assert.throws(() => failing(rule, () => shared.enqueueRelease()), OutOfMemoryError);
      assert.equal(shared.released, false);
      assert.equal(array.length, 0);
      assert.equal(shared.array(Float32Array)[0], 5);
      await shared.enqueueRelease().wait();
    `);
    expect(result).toMatchObject(fine);
  });

  test("for freeing by a command falls back to freeing without one", { tags: "ci" }, async () => {
    const result = await run(`
      const memory = new SvmAllocation(context, 16, { queue });
      await queue.write(memory, new Uint8Array(16));
      failing("clEnqueueSVMFree=-5", () => memory.release());
      assert.equal(memory.released, true);
    `);
    expect(result).toMatchObject(fine);
  });

  test("for tracking completion frees the memory when the process exits", { tags: "ci" }, async () => {
    const result = await run(`
      const memory = new SvmAllocation(context, 16);
      await queue.write(memory, new Uint8Array(16));
      process.env.FAKE_CL_FAIL = "clEnqueueMarkerWithWaitList=-5";
      memory.release();
    `);
    expect(result).toMatchObject(fine);
  });
});

test("memory that is never released is freed when the process exits", async () => {
  const result = await run(`
    globalThis.kept = [new SvmAllocation(context, 16), new SvmAllocation(context, 16, { kind: "fine-buffer", queue })];
    globalThis.array = kept[1].array(Float32Array);
    globalThis.mapped = kept[0].mapSync(queue);
  `);
  expect(result).toMatchObject(fine);
});
