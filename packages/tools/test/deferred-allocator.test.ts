import { Context, DeviceBuffer, MemFlags } from "@cl/core";
import { errorLike, outOfRange, wrongType } from "@cl/testing/error-like";
import { type BufferAllocatorOptions, DeferredAllocator } from "@cl/tools";
import { expect, test } from "vitest";

const context = Context.create();

/** Bypasses the type check. */
const make = (options?: unknown, of: unknown = context): DeferredAllocator =>
  new DeferredAllocator(of as Context, options as BufferAllocatorOptions);

test("DeferredAllocator returns a buffer of the requested size, and null for 0 bytes", () => {
  const allocator = make();
  using buffer = allocator.allocate(100);
  expect(buffer).toBeInstanceOf(DeviceBuffer);
  expect(buffer?.size).toBe(100);
  expect(allocator.allocate(0)).toBeNull();
  expect(allocator.deferred).toBe(true);
  expect(allocator.context).toBe(context);
});

test("DeferredAllocator applies the flags and label of its options, and copies the options", () => {
  const options: { -readonly [K in keyof BufferAllocatorOptions]: BufferAllocatorOptions[K] } = {
    access: "read-only",
    hostAccess: "write-only",
    hostPointer: "alloc",
    label: "weights",
  };
  const allocator = make(options);
  options.access = "write-only";
  using buffer = allocator.allocate(64);
  expect(buffer?.flags).toBe(MemFlags.READ_ONLY | MemFlags.HOST_WRITE_ONLY | MemFlags.ALLOC_HOST_PTR);
  expect(buffer?.label).toBe("weights");
  using raw = make({ flags: MemFlags.WRITE_ONLY }).allocate(64);
  expect(raw?.flags).toBe(MemFlags.WRITE_ONLY);
  using usual = make().allocate(64);
  expect(usual?.flags).toBe(MemFlags.READ_WRITE);
});

test("DeferredAllocator can allocate memory shared by host and device", () => {
  using buffer = make({ hostCoherent: "preferred" }).allocate(64);
  expect(buffer?.size).toBe(64);
});

test.each([
  [{ hostPointer: "use" }, wrongType("options.hostPointer")],
  [{ hostPointer: "copy" }, wrongType("options.hostPointer")],
  [{ flags: MemFlags.USE_HOST_PTR }, wrongType("options.flags")],
  [{ flags: MemFlags.COPY_HOST_PTR }, wrongType("options.flags")],
  [{ size: 10 }, outOfRange("options")],
  [{ host: new Uint8Array(4) }, outOfRange("options")],
  [{ access: "rw" }, wrongType("options.access")],
  [{ access: "read-only", flags: MemFlags.WRITE_ONLY }, errorLike(TypeError, "ERR_INVALID_ARG_VALUE")],
  [{ label: 1 }, wrongType("options.label")],
  [{ properties: [1] }, wrongType("options.properties[0]")],
  [{ hostCoherent: true }, wrongType("options.hostCoherent")],
  [3, wrongType("options")],
])("DeferredAllocator rejects invalid options in its constructor (%#)", (options, error) => {
  expect(() => make(options)).toThrow(error);
});

test("DeferredAllocator rejects a context that is not a Context", () => {
  expect(() => make(undefined, {})).toThrow(wrongType("context"));
});

test("DeferredAllocator throws a RangeError for more than maxMemAllocSize, which is not retried", () => {
  expect(() => make().allocate(Number.MAX_SAFE_INTEGER)).toThrow(RangeError);
});
