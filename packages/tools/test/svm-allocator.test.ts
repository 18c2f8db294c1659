import {
  CommandQueue,
  Context,
  DeviceSvmCapabilities,
  NotSupportedError,
  SvmAllocation,
  SvmMemFlags,
  type SvmOptions,
} from "@cl/core";
import { errorLike } from "@cl/testing/error-like";
import { SvmAllocator } from "@cl/tools";
import { needs } from "@cl/tools/testing";
import { beforeEach, describe, expect, test } from "vitest";

const context = Context.create();

function has(capability: keyof typeof DeviceSvmCapabilities): boolean {
  return context.devices.every((device) => {
    try {
      return (device.svmCapabilities & DeviceSvmCapabilities[capability]) !== 0;
    } catch {
      return false;
    }
  });
}

/** Bypasses the type check. */
const make = (options?: unknown): SvmAllocator => new SvmAllocator(context, options as SvmOptions);

describe("SvmAllocator", () => {
  beforeEach((run) => needs(run, has("COARSE_GRAIN_BUFFER"), "the device has no shared virtual memory"));

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
    needs(run, has("FINE_GRAIN_BUFFER"), "the device has no fine-grained buffers");
    using memory = make({ kind: "fine-buffer" }).allocate(16);
    memory.array(Float32Array).set([1, 2, 3, 4]);
    expect(memory.kind).toBe("fine-buffer");
    using byFlags = make({ flags: SvmMemFlags.SVM_FINE_GRAIN_BUFFER }).allocate(16);
    expect(byFlags.kind).toBe("fine-buffer");
  });

  test("rejects an out-of-order queue in its constructor", () => {
    const queue = new CommandQueue(context, { outOfOrder: true });
    expect(() => make({ queue })).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options.queue"));
  });

  test.each([
    [
      "an alignment that is not a power of two",
      { alignment: 48 },
      errorLike(RangeError, "ERR_OUT_OF_RANGE", "options.alignment"),
    ],
    ["an unknown kind", { kind: "fine" }, errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options.kind")],
    ["an invalid queue", { queue: {} }, errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options.queue")],
    ["invalid options", "fine-buffer", errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options")],
  ])("rejects %s in its constructor", (_, options, message) => {
    expect(() => make(options)).toThrow(message);
  });
});

test("SvmAllocator rejects an unsupported kind in its constructor and names the device", (run) => {
  needs(run, !has("FINE_GRAIN_BUFFER"), "the device has all kinds that can be allocated");
  expect(() => make({ kind: "fine-buffer" })).toThrow(NotSupportedError);
});

test("SvmAllocator rejects a context that is not a Context", () => {
  expect(() => new SvmAllocator({} as Context)).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "context"));
});
