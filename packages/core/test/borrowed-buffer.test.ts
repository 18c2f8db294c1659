import { once } from "node:events";
import {
  beforeReclaiming,
  BorrowedBuffer,
  CommandBuffer,
  CommandQueue,
  CommandStatus,
  DeviceBuffer,
  DisposedError,
  Image,
  ImageFormat,
  LaunchList,
  reclaimUnreachable,
  UserEvent,
  waitForEventsSync,
} from "@cl/core";
import { describe, expect, test } from "vitest";

import { collectUntil, needs, turns } from "@cl/base/testing";
import { roundTrip } from "@cl/testing/round-trip";
import { context, kernelOf, queue } from "./support/kernels.js";
import { overtakes } from "./support/overtaking.js";
import { RecordingLender } from "./support/recording-lender.js";

const fill = kernelOf(`
  __kernel void fill_with(__global int *x, int value) { x[get_global_id(0)] = value; }
`);
const n = 1024;
const sizes = { global: n };

function borrow(bytes = 4 * n): {
  block: DeviceBuffer;
  lender: RecordingLender<DeviceBuffer>;
  borrowed: BorrowedBuffer;
} {
  const block = new DeviceBuffer(context, 4 * n);
  const lender = new RecordingLender<DeviceBuffer>();
  return { block, lender, borrowed: new BorrowedBuffer(block, bytes, lender) };
}

test("a BorrowedBuffer is a buffer of the requested size in the block's memory", async () => {
  const { block, borrowed } = borrow(100);
  expect(borrowed).toBeInstanceOf(DeviceBuffer);
  expect(borrowed.size).toBe(100);
  expect(borrowed.context).toBe(context);
  expect(borrowed.pointer).toBe(block.pointer);
  await queue.write(borrowed, Int32Array.of(1, 2, 3));
  expect((await queue.read(block, Int32Array)).subarray(0, 3)).toEqual(Int32Array.of(1, 2, 3));
});

test("release returns the block once, with the borrowed size, and calls onReleased", () => {
  const { block, lender, borrowed } = borrow(100);
  let releases = 0;
  borrowed.onReleased(() => releases++);
  borrowed.release();
  borrowed.release();
  expect(releases).toBe(1);
  expect(borrowed.released).toBe(true);
  expect(lender.returned).toEqual([{ block, bytes: 100, reusable: true }]);
  expect(block.released).toBe(false);
});

describe("a released BorrowedBuffer cannot be used", () => {
  test("by commands, also through its sub-buffers, another type and images over it", () => {
    const { borrowed } = borrow();
    const parts = [borrowed.subBuffer(0, 512), borrowed.as(Int32Array), borrowed.subBuffer(0, 1024).subBuffer(0, 512)];
    const format = new ImageFormat("RGBA", "FLOAT");
    const { imageSupport } = queue.device;
    const image = imageSupport ? new Image(context, { buffer: borrowed, format, shape: [16] }) : undefined;
    borrowed.release();
    expect(() => queue.enqueueFill(borrowed, Int32Array.of(1))).toThrow(DisposedError);
    expect(() => fill.launch(queue, sizes, borrowed, 1)).toThrow(DisposedError);
    for (const part of parts) expect(() => queue.readSync(part, Uint8Array)).toThrow(DisposedError);
    for (const part of parts) part.release();
    if (image !== undefined) expect(() => queue.readSync(image)).toThrow(DisposedError);
  });

  test("by kernels that have it as an argument", () => {
    const { block, borrowed } = borrow();
    const bound = fill.bind(sizes, borrowed, 7);
    const kept = fill.clone();
    kept.setArg(0, borrowed).setArg(1, 7);
    borrowed.release();
    expect(() => bound.launch(queue)).toThrow(DisposedError);
    expect(() => kept.launchWithSetArgs(queue, sizes)).toThrow(DisposedError);
    using next = new BorrowedBuffer(block, 4 * n, new RecordingLender<DeviceBuffer>());
    expect(() => bound.launch(queue)).toThrow(DisposedError);
    bound.setArg(0, next).launch(queue);
    expect(queue.readSync(next, Int32Array)).toEqual(new Int32Array(n).fill(7));
  });

  test("by launch lists", () => {
    const { block, borrowed } = borrow();
    const other = new DeviceBuffer(context, 4 * n);
    const lists = [
      new LaunchList(context).push(fill.bind(sizes, borrowed, 7)),
      new LaunchList(context).pushCopy(borrowed, other),
      new LaunchList(context).pushCopy(other, borrowed),
      new LaunchList(context).pushFill(borrowed, Int32Array.of(3)),
    ];
    for (const list of lists) list.launch(queue);
    borrowed.release();
    using _ = new BorrowedBuffer(block, 4 * n, new RecordingLender<DeviceBuffer>());
    for (const list of lists) expect(() => list.launch(queue)).toThrow(DisposedError);
  });

  test("by command buffers", (run) => {
    needs(run, queue.device.hasExtension("cl_khr_command_buffer"), `'${queue.device.name}' has no command buffers`);
    const { borrowed } = borrow();
    const recorded = [
      new CommandBuffer(queue).push(fill.bind(sizes, borrowed, 7)).finalize(),
      new CommandBuffer(queue).pushFill(borrowed, Int32Array.of(3)).finalize(),
    ];
    for (const commands of recorded) waitForEventsSync(commands.enqueue());
    borrowed.release();
    for (const commands of recorded) expect(() => commands.enqueue()).toThrow(DisposedError);
  });
});

test("a block that is released or mapped is returned as not reusable", async () => {
  const [unmapped, mapped, gone] = [borrow(), borrow(), borrow()];
  (await queue.map(unmapped.borrowed, Int32Array)).unmap();
  const pending = await queue.map(mapped.borrowed, Int32Array);
  gone.block.release();
  const reusable = [unmapped, mapped, gone].map(({ borrowed, lender }) => {
    borrowed.release();
    return lender.returned.map((one) => one.reusable);
  });
  expect(reusable).toEqual([[true], [false], [false]]);
  pending.data.fill(1);
  pending.unmap();
});

test("garbage collection returns the block of a dropped BorrowedBuffer", async () => {
  const lender = new RecordingLender<DeviceBuffer>();
  const block = new DeviceBuffer(context, 64);
  (() => new BorrowedBuffer(block, 10, lender))();
  expect(await collectUntil(() => lender.returned.length > 0)).toBe(true);
  expect(lender.returned).toEqual([{ block, bytes: 10, reusable: true }]);
});

test("reclaimUnreachable returns dropped blocks immediately, and no others", () => {
  const lender = new RecordingLender<DeviceBuffer>();
  const [first, second] = [new DeviceBuffer(context, 64), new DeviceBuffer(context, 64)];
  (() => new BorrowedBuffer(first, 10, lender))();
  const kept = new BorrowedBuffer(second, 10, lender);
  reclaimUnreachable();
  expect(lender.returned.map(({ block }) => block)).toEqual([first]);
  kept.release();
});

test("reclaimUnreachable first calls the registered functions, which may drop references", async () => {
  const lender = new RecordingLender<DeviceBuffer>();
  const block = new DeviceBuffer(context, 64);
  const kept = [new BorrowedBuffer(block, 10, lender)];
  const warning = once(process, "warning") as Promise<[Error & { readonly code: string }]>;
  let shouldThrow = true;
  beforeReclaiming(() => {
    if (!shouldThrow) return;
    shouldThrow = false;
    throw new Error("no reason");
  });
  beforeReclaiming(() => {
    kept.length = 0;
  });
  reclaimUnreachable();
  expect(lender.returned).toEqual([{ block, bytes: 10, reusable: true }]);
  expect((await warning)[0].code).toBe("CL_FINALIZER");
});

test("a reachable sub-buffer keeps the block borrowed", async () => {
  const lender = new RecordingLender<DeviceBuffer>();
  const block = new DeviceBuffer(context, 4096);
  const part = (() => new BorrowedBuffer(block, 4096, lender).as(Int32Array))();
  reclaimUnreachable();
  await turns(1);
  reclaimUnreachable();
  expect(lender.returned).toEqual([]);
  queue.writeSync(part, Int32Array.of(1));
});

describe("commands of the next borrower run after those of the former", () => {
  const noopLender = { takeBack: (): void => undefined };

  /**
   * The former borrower's command waits for the gate; returns whether the next borrower's waited, too, and the result.
   */
  async function handOver(
    first: CommandQueue,
    second: CommandQueue,
    end?: () => void,
  ): Promise<{ waited: boolean; left: Int32Array }> {
    const block = new DeviceBuffer(context, 4 * n);
    const gate = new UserEvent(context);
    const borrowed = new BorrowedBuffer(block, 4 * n, noopLender);
    const before = fill.bind(sizes, borrowed, 1).enqueue(first, { waitFor: gate });
    borrowed.release();
    end?.();
    const next = new BorrowedBuffer(block, 4 * n, noopLender);
    const after = fill.enqueue(second, sizes, next, 2);
    second.flush();
    await roundTrip(context);
    const waited = after.status !== CommandStatus.COMPLETE;
    gate.complete();
    await Promise.all([before.wait(), after.wait()]);
    return { waited, left: await second.read(next, Int32Array) };
  }

  const inOrder = { waited: true, left: new Int32Array(n).fill(2) };

  test.for(["the same queue", "another queue", "another queue, and the first has been released"])(
    "on %s",
    async (queues) => {
      const first = new CommandQueue(context);
      const second = queues === "the same queue" ? first : queue;
      const end = (): void => (queues.includes("released") ? first.release() : undefined);
      expect(await handOver(first, second, end)).toEqual(inOrder);
    },
  );

  test("on an out-of-order queue", async (run) => {
    using unordered = new CommandQueue(context, { outOfOrder: true });
    needs(run, await overtakes(unordered), `'${queue.device.name}' runs all queues in order`);
    expect(await handOver(unordered, unordered)).toEqual(inOrder);
  });

  test("after a command on a sub-buffer, a copy, a read or a list", async () => {
    using second = new CommandQueue(context);
    const block = new DeviceBuffer(context, 4 * n);
    const gate = new UserEvent(context);
    const borrowed = new BorrowedBuffer(block, 4 * n, noopLender);
    const before = fill.bind({ global: 128 }, borrowed.subBuffer(0, 512), 1).enqueue(queue, { waitFor: gate });
    borrowed.release();
    const [copied, read, listed] = [new CommandQueue(context), new CommandQueue(context), new CommandQueue(context)];
    const next = new BorrowedBuffer(block, 4 * n, noopLender);
    const other = new DeviceBuffer(context, 4 * n);
    const events = [
      copied.enqueueCopy(other, next),
      new LaunchList(context).pushFill(next, Int32Array.of(5)).enqueue(listed),
      fill.bind(sizes, next.as(Int32Array), 5).enqueue(second),
    ];
    let arrived = false;
    const reading = read.read(next, Int32Array).then(() => (arrived = true));
    for (const each of [second, copied, read, listed]) each.flush();
    await roundTrip(context);
    expect(events.map(({ status }) => status === CommandStatus.COMPLETE)).toEqual([false, false, false]);
    expect(arrived).toBe(false);
    gate.complete();
    await Promise.all([before.wait(), reading, ...events.map(async (event) => event.wait())]);
  });
});
