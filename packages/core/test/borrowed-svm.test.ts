import { BorrowedSvm, CommandQueue, CommandStatus, DisposedError, SvmAllocation, UserEvent } from "@cl/core";
import { beforeEach, describe, expect, test } from "vitest";

import { collectUntil, needs } from "@cl/base/testing";
import { roundTrip } from "@cl/testing/round-trip";
import { wrongState } from "@cl/testing/error-like";
import { context, device, kernelOf, queue } from "./support/kernels.js";
import { RecordingLender } from "./support/recording-lender.js";

const svm = device.svmCapabilities;
const fine = (svm & 2) !== 0;

beforeEach((run) => {
  needs(run, svm !== 0, `'${device.name}' has no shared virtual memory`);
});

const n = 1024;
const sizes = { global: n };
const source = "__kernel void fill_with(__global int *x, int value) { x[get_global_id(0)] = value; }";

function borrow(kind: "coarse" | "fine-buffer" = "coarse"): {
  block: SvmAllocation;
  lender: RecordingLender<SvmAllocation>;
  borrowed: BorrowedSvm;
} {
  const block = new SvmAllocation(context, 4 * n, { kind });
  const lender = new RecordingLender<SvmAllocation>();
  return { block, lender, borrowed: new BorrowedSvm(block, 4 * n, lender) };
}

test("release returns the allocation once, with the borrowed size", () => {
  const { block, lender, borrowed } = borrow();
  expect(borrowed.size).toBe(4 * n);
  expect(borrowed.equals(block)).toBe(true);
  borrowed.release();
  borrowed.enqueueRelease();
  expect(borrowed.released).toBe(true);
  expect(lender.returned).toEqual([{ block, bytes: 4 * n, reusable: true }]);
});

test("a released BorrowedSvm cannot be used, nor kernels that have it as an argument, nor its parts", () => {
  const { block, borrowed } = borrow();
  const fill = kernelOf(source);
  const bound = fill.bind(sizes, borrowed, 7);
  bound.launch(queue);
  const part = borrowed.part(0, 512);
  borrowed.release();
  using _ = new BorrowedSvm(block, 4 * n, new RecordingLender<SvmAllocation>());
  expect(() => bound.launch(queue)).toThrow(DisposedError);
  expect(() => fill.launch(queue, sizes, borrowed, 1)).toThrow(DisposedError);
  expect(() => fill.launch(queue, { global: 128 }, part, 1)).toThrow(DisposedError);
  expect(part.released).toBe(true);
  expect(() => borrowed.part(0)).toThrow(DisposedError);
});

test("arrays over it are detached on release, and it can be borrowed again", async (run) => {
  needs(run, fine, `'${device.name}' has no fine-grained buffers`);
  const { block, lender, borrowed } = borrow("fine-buffer");
  const array = borrowed.array(Int32Array);
  array[0] = 5;
  borrowed.release();
  expect(array).toHaveLength(0);
  // V8 may collect the array later.
  expect(await collectUntil(() => lender.returned.length > 0)).toBe(true);
  expect(lender.returned).toMatchObject([{ reusable: true }]);
  const next = new BorrowedSvm(block, 4 * n, lender);
  expect((await next.ready()).array(Int32Array)[0]).toBe(5);
});

test("a transferred array prevents the memory from being reused", (run) => {
  needs(run, fine, `'${device.name}' has no fine-grained buffers`);
  const { lender, borrowed } = borrow("fine-buffer");
  const array = borrowed.array(Int32Array);
  const buffer = array.buffer as ArrayBuffer & { transfer?: () => ArrayBuffer };
  needs(run, buffer.transfer !== undefined, "this engine has no ArrayBuffer.prototype.transfer");
  const moved = new Uint8Array(buffer.transfer?.() as ArrayBuffer);
  borrowed.release();
  expect(lender.returned).toMatchObject([{ reusable: false }]);
  moved[0] = 1;
});

test("memory that is mapped, or has a buffer over it, is returned as not reusable", async () => {
  const { lender, borrowed } = borrow();
  const mapped = await borrowed.map(queue, Int32Array);
  borrowed.release();
  mapped.unmap();
  const second = borrow();
  const buffer = second.borrowed.asBuffer();
  second.borrowed.release();
  expect([...lender.returned, ...second.lender.returned].map(({ reusable }) => reusable)).toEqual([false, false]);
  buffer.release();
});

test("garbage collection returns a dropped block, with or without an array over it", async () => {
  const lender = new RecordingLender<SvmAllocation>();
  const [first, second] = [0, 1].map(() => new SvmAllocation(context, 64, { kind: fine ? "fine-buffer" : "coarse" }));
  (() => new BorrowedSvm(first as SvmAllocation, 10, lender))();
  (() => {
    const borrowed = new BorrowedSvm(second as SvmAllocation, 10, lender);
    if (fine) borrowed.array(Uint8Array).fill(1);
  })();
  expect(await collectUntil(() => lender.returned.length > 1)).toBe(true);
  for (const { block } of lender.returned) block.release();
});

test("can be bound to a queue and unbound, like an allocation", async () => {
  const { borrowed } = borrow();
  await expect(borrowed.unbindFromQueue()).rejects.toThrow(wrongState());
  borrowed.bindToQueue(queue);
  expect(borrowed.queue).toBe(queue);
  await borrowed.unbindFromQueue();
  expect(borrowed.queue).toBeUndefined();
});

describe("commands of the next borrower run after those of the former", () => {
  test.for(["a command", "bindToQueue"])("on another queue, through %s", async (how) => {
    const fill = kernelOf(source);
    using second = new CommandQueue(context);
    const block = new SvmAllocation(context, 4 * n);
    const gate = new UserEvent(context);
    const lender = new RecordingLender<SvmAllocation>();
    const borrowed = new BorrowedSvm(block, 4 * n, lender);
    const before = fill.bind(sizes, borrowed, 1).enqueue(queue, { waitFor: gate });
    borrowed.release();
    const next = new BorrowedSvm(block, 4 * n, lender);
    const other = new SvmAllocation(context, 4 * n);
    if (how === "bindToQueue") next.bindToQueue(second);
    const after = fill.enqueue(second, sizes, how === "bindToQueue" ? other : next, 2);
    second.flush();
    await roundTrip(context);
    expect(after.status).not.toBe(CommandStatus.COMPLETE);
    gate.complete();
    await Promise.all([before.wait(), after.wait()]);
    const mapped = await next.map(second, Int32Array);
    expect(mapped.data[n - 1]).toBe(how === "bindToQueue" ? 1 : 2);
    mapped.unmap();
  });

  test("and host access is allowed only when they have completed", async (run) => {
    needs(run, fine, `'${device.name}' has no fine-grained buffers`);
    const fill = kernelOf(source);
    const block = new SvmAllocation(context, 4 * n, { kind: "fine-buffer" });
    const gate = new UserEvent(context);
    const lender = new RecordingLender<SvmAllocation>();
    const borrowed = new BorrowedSvm(block, 4 * n, lender);
    fill.bind(sizes, borrowed, 1).enqueue(queue, { waitFor: gate });
    borrowed.release();
    const next = new BorrowedSvm(block, 4 * n, lender);
    expect(() => next.array(Int32Array)).toThrow(wrongState());
    let isReady = false;
    const ready = next.ready().then(() => (isReady = true));
    await roundTrip(context);
    expect(isReady).toBe(false);
    gate.complete();
    await ready;
    expect(next.array(Int32Array)[0]).toBe(1);
  });
});
