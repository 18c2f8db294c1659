import { CommandQueue, type Context, NotSupportedError, SvmAllocation, SvmMemFlags, type SvmOptions } from "@cl/core";
import { context, hasSvm, needsCoarse, needsFine } from "@cl/testing/svm";
import { SvmAllocator } from "@cl/tools";
import { needs } from "@cl/tools/testing";
import { beforeEach, describe, expect, test } from "vitest";

import { outOfRange, wrongType } from "@cl/testing/error-like";

/** Bypasses the type check. */
const make = (options?: unknown): SvmAllocator => new SvmAllocator(context, options as SvmOptions);

describe("SvmAllocator", () => {
  beforeEach(needsCoarse);

  test("returns allocations with its flags and alignment, and an empty one for 0 bytes", () => {
    const allocator = make({ alignment: 64, access: "read-only", label: "nodes" });
    using memory = allocator.allocate(100);
    expect(memory).toBeInstanceOf(SvmAllocation);
    expect(memory.size).toBe(100);
    expect(memory.flags).toBe(SvmMemFlags.READ_ONLY);
    expect(memory.label).toBe("nodes");
    expect(memory.pointer % 64n).toBe(0n);
    using nothing = allocator.allocate(0);
    expect(nothing.size).toBe(0);
    expect(nothing.pointer).toBe(0n);
    expect(allocator.deferred).toBe(false);
    expect(allocator.context).toBe(context);
  });

  test("binds allocations to its queue, which frees them after its commands", async () => {
    const queue = new CommandQueue(context);
    const allocator = make({ queue });
    expect(allocator.queue).toBe(queue);
    const memory = allocator.allocate(16);
    expect(memory.queue).toBe(queue);
    const out = new Float32Array(4);
    queue.enqueueCopy(memory, Float32Array.of(1, 2, 3, 4));
    queue.enqueueCopy(out, memory);
    memory.release();
    await queue.finish();
    expect([...out]).toEqual([1, 2, 3, 4]);
    expect(make().queue).toBeUndefined();
  });

  test("allocates fine-grained memory on devices that support it", (run) => {
    needsFine(run);
    using memory = make({ kind: "fine-buffer" }).allocate(16);
    memory.array(Float32Array).set([1, 2, 3, 4]);
    expect(memory.kind).toBe("fine-buffer");
    using byFlags = make({ flags: SvmMemFlags.SVM_FINE_GRAIN_BUFFER }).allocate(16);
    expect(byFlags.kind).toBe("fine-buffer");
  });

  test("rejects invalid options in its constructor", () => {
    const queue = new CommandQueue(context, { outOfOrder: true });
    expect(() => make({ queue })).toThrow(wrongType("options.queue"));
    expect(() => make({ queue: {} })).toThrow(wrongType("options.queue"));
    expect(() => make({ alignment: 48 })).toThrow(outOfRange("options.alignment"));
    expect(() => make({ kind: "fine" })).toThrow(wrongType("options.kind"));
    expect(() => make("fine-buffer")).toThrow(wrongType("options"));
  });
});

test("SvmAllocator rejects an unsupported kind in its constructor and names the device", (run) => {
  needs(run, !hasSvm("FINE_GRAIN_BUFFER"), "the device has all kinds that can be allocated");
  expect(() => make({ kind: "fine-buffer" })).toThrow(NotSupportedError);
});

test("SvmAllocator rejects a context that is not a Context", () => {
  expect(() => new SvmAllocator({} as Context)).toThrow(wrongType("context"));
});
