import { beforeEach, describe, expect, test } from "vitest";
import {
  CommandQueue,
  Context,
  DisposedError,
  SvmAllocation,
  SvmMemFlags,
  type SvmOptions,
  SvmPointer,
  UserEvent,
} from "@cl/core";

import { hasSvm, needsCoarse, needsFine } from "@cl/testing/svm";
import { needs } from "@cl/base/testing";
import { outOfRange, wrongState, wrongType, wrongValue } from "@cl/testing/error-like";
import { context, queue } from "./support/kernels.js";

/** For calls that TypeScript would reject. */
const make = (bytes: unknown, options?: unknown): SvmAllocation =>
  new SvmAllocation(context, bytes as number, options as SvmOptions);

describe("an allocation", () => {
  beforeEach((run) => needsCoarse(run));

  test("has the given size, and an address that host and devices share", () => {
    using memory = make(100, { label: "state" });
    expect(memory).toBeInstanceOf(SvmPointer);
    expect(memory).toMatchObject({ size: 100, byteOffset: 0, kind: "coarse", flags: SvmMemFlags.READ_WRITE });
    expect([memory.type, memory.queue]).toEqual([undefined, undefined]);
    expect(memory.context).toBe(context);
    expect(memory.pointer).toBeGreaterThan(0n);
    using aligned = make(24, { alignment: 128 });
    expect(aligned.pointer % 128n).toBe(0n);
    expect(String(memory)).toBe('SvmAllocation "state" { 100 bytes, coarse }');
  });

  test("has flags from the options or from OpenCL's bits", () => {
    const flagsOf = (options: SvmOptions): number => {
      using memory = make(16, options);
      return memory.flags;
    };
    expect(flagsOf({ access: "read-only" })).toBe(SvmMemFlags.READ_ONLY);
    expect(flagsOf({ access: "write-only" })).toBe(SvmMemFlags.WRITE_ONLY);
    expect(flagsOf({ flags: SvmMemFlags.READ_ONLY })).toBe(SvmMemFlags.READ_ONLY);
    expect(() => make(16, { flags: SvmMemFlags.READ_ONLY, access: "write-only" })).toThrow(wrongValue());
  });

  test.each([
    ["an alignment that is not a power of two", [16, { alignment: 24 }], outOfRange("options.alignment")],
    ["more bytes than a device's maximum", [Number.MAX_SAFE_INTEGER], outOfRange()],
    ["atomics on coarse-grained memory", [16, { atomics: true }], wrongType("options.kind")],
  ])("rejects %s", (_, args, message) => {
    expect(() => make(...(args as [unknown, unknown?]))).toThrow(message);
  });

  test("is released once; releasing it again has no effect", () => {
    const memory = make(16);
    memory.release();
    memory.release();
    memory[Symbol.dispose]();
    expect(memory.released).toBe(true);
    expect(() => memory.pointer).toThrow(DisposedError);
    expect(() => memory.asBuffer()).toThrow(DisposedError);
  });

  test("can be released after its context and queue", async () => {
    const own = new Context(context.devices);
    const ownQueue = new CommandQueue(own);
    const memory = new SvmAllocation(own, 64, { queue: ownQueue });
    await ownQueue.write(memory, new Uint8Array(64));
    ownQueue.release();
    own.release();
    memory.release();
    expect(memory.released).toBe(true);
  });
});

describe("fine-grained memory", () => {
  beforeEach((run) => needsFine(run));

  test("is available as typed arrays without mapping, at any offset", () => {
    using memory = make(32, { kind: "fine-buffer" });
    expect(memory.kind).toBe("fine-buffer");
    const bytes = memory.array(Uint8Array);
    const floats = memory.array(Float32Array, { offset: 2, length: 3 });
    floats.set([1, 2, 3]);
    expect(bytes.length).toBe(32);
    expect(floats.byteOffset).toBe(8);
    expect([...new Float32Array(bytes.buffer, 8, 3)]).toEqual([1, 2, 3]);
    expect([...queue.readSync(memory, Float32Array, { offset: 2, length: 3 })]).toEqual([1, 2, 3]);
  });

  test("detaches its arrays on release", () => {
    const memory = make(16, { kind: "fine-buffer" });
    const [one, two] = [memory.array(Float32Array), memory.array(Uint8Array, { offset: 4 })];
    memory.release();
    expect(one.length).toBe(0);
    expect(two.length).toBe(0);
    expect(one.buffer.byteLength).toBe(0);
    expect(() => memory.array(Float32Array)).toThrow(DisposedError);
  });

  test("stays valid for the new owner of a transferred array, and release reports it", (run) => {
    const memory = make(16, { kind: "fine-buffer" });
    const array = memory.array(Uint8Array).fill(7);
    const buffer = array.buffer as ArrayBuffer & { transfer?: () => ArrayBuffer };
    needs(run, buffer.transfer !== undefined, "this engine has no ArrayBuffer.prototype.transfer");
    const moved = new Uint8Array(buffer.transfer?.() as ArrayBuffer);
    expect(() => memory.release()).toThrow(/was transferred/);
    expect(memory.released).toBe(true);
    expect([...moved]).toEqual(Array.from({ length: 16 }, () => 7));
  });

  test("may support atomics if the device does", (run) => {
    needs(run, hasSvm("ATOMICS"), "the device does not support SVM atomics");
    using memory = make(16, { kind: "fine-buffer", atomics: true });
    expect(memory.flags).toBe(SvmMemFlags.READ_WRITE | SvmMemFlags.SVM_FINE_GRAIN_BUFFER | SvmMemFlags.SVM_ATOMICS);
  });
});

test("coarse-grained memory has no arrays unless it is mapped", (run) => {
  needsCoarse(run);
  using memory = make(16);
  expect(() => memory.array(Float32Array)).toThrow(wrongState());
});

describe("an allocation bound to a queue", () => {
  beforeEach((run) => needsCoarse(run));

  test("has the queue as a property, and is freed by a command on it", async () => {
    const memory = make(16, { queue });
    expect(memory.queue).toBe(queue);
    const gate = new UserEvent(context);
    queue.enqueueBarrier(gate);
    const out = new Float32Array(4);
    queue.enqueueCopy(memory, Float32Array.of(1, 2, 3, 4));
    queue.enqueueCopy(out, memory);
    memory.release();
    gate.complete();
    await queue.finish();
    expect([...out]).toEqual([1, 2, 3, 4]);
  });

  test("can be bound later, to another queue, or unbound", async () => {
    const other = new CommandQueue(context);
    const memory = make(16);
    memory.bindToQueue(queue);
    expect(memory.queue).toBe(queue);
    memory.bindToQueue(other);
    expect(memory.queue).toBe(other);
    await memory.unbindFromQueue();
    expect(memory.queue).toBeUndefined();
    memory.bindToQueue(other);
    memory.unbindFromQueueSync();
    expect(memory.queue).toBeUndefined();
    memory.release();
  });

  test("makes the new queue wait for the old one when it is bound to another", async () => {
    const other = new CommandQueue(context);
    const memory = make(4, { queue });
    const gate = new UserEvent(context);
    queue.enqueueBarrier(gate);
    queue.enqueueCopy(memory, Uint32Array.of(5));
    memory.bindToQueue(other);
    const out = new Uint32Array(1);
    const copied = other.enqueueCopy(out, memory);
    other.flush();
    expect(copied.statusName).not.toBe("COMPLETE");
    gate.complete();
    await copied.wait();
    expect(out[0]).toBe(5);
    memory.release();
  });

  test("waits for its queue when it is unbound, and a signal aborts the wait", async () => {
    const memory = make(16, { queue });
    const gate = new UserEvent(context);
    queue.enqueueBarrier(gate);
    const stop = new AbortController();
    const waiting = memory.unbindFromQueue({ signal: stop.signal });
    stop.abort();
    await expect(waiting).rejects.toThrow(/abort/i);
    expect(memory.queue).toBe(queue);
    gate.complete();
    await memory.unbindFromQueue();
    expect(memory.queue).toBeUndefined();
    memory.release();
  });

  test("requires an in-order queue of its context", (run) => {
    const device = queue.device;
    needs(run, device.hasQueueOutOfOrderExecMode, "the device does not support out-of-order queues");
    const without = new CommandQueue(context, { outOfOrder: true });
    expect(() => make(16, { queue: without })).toThrow(wrongType("options.queue"));
    using memory = make(16);
    expect(() => memory.bindToQueue(without)).toThrow(wrongType("queue"));
    const elsewhere = new CommandQueue(new Context(context.devices));
    expect(() => memory.bindToQueue(elsewhere)).toThrow(wrongType("queue"));
  });
});

describe("an enqueued release", () => {
  beforeEach((run) => needsCoarse(run));

  test("waits for its wait list, and for other queues that use the memory", async () => {
    const other = new CommandQueue(context);
    const memory = make(16);
    const [gate, own] = [new UserEvent(context), new UserEvent(context)];
    other.enqueueBarrier(gate);
    const out = new Uint8Array(16);
    other.enqueueSvmFill(memory, Uint8Array.of(3));
    other.enqueueCopy(out, memory);
    const event = memory.enqueueRelease(queue, { waitFor: own });
    own.complete();
    queue.flush();
    expect(event.statusName).not.toBe("COMPLETE");
    gate.complete();
    await event.wait();
    expect([...out]).toEqual(Array.from({ length: 16 }, () => 3));
  });

  test("detaches arrays immediately", (run) => {
    needsFine(run);
    const memory = make(16, { kind: "fine-buffer", queue });
    const array = memory.array(Uint8Array);
    const event = memory.enqueueRelease();
    expect(array.length).toBe(0);
    event.waitSync();
  });
});
