import { Context, DeviceBuffer, MemFlags } from "@cl/core";
import { errorLike } from "@cl/testing/error-like";
import { type BufferAllocatorOptions, DeferredAllocator } from "@cl/tools";
import { expect, test } from "vitest";

const context = Context.create();

/** Callers that TypeScript would not let through. */
const make = (options?: unknown, of: unknown = context): DeferredAllocator =>
  new DeferredAllocator(of as Context, options as BufferAllocatorOptions);

test("a DeferredAllocator gives a buffer of the size, and null for no bytes", () => {
  const allocator = make();
  using buffer = allocator.allocate(100);
  expect(buffer).toBeInstanceOf(DeviceBuffer);
  expect(buffer?.size).toBe(100);
  expect(allocator.allocate(0)).toBeNull();
  expect(allocator.deferred).toBe(true);
  expect(allocator.context).toBe(context);
});

test("its buffers have the flags and the label of its options, which nobody changes afterwards", () => {
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

test("it can give memory that host and device share", () => {
  using buffer = make({ hostCoherent: "preferred" }).allocate(64);
  expect(buffer?.size).toBe(64);
});

test.each([
  ["host memory to use", { hostPointer: "use" }, errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options.hostPointer")],
  ["host memory to copy", { hostPointer: "copy" }, errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options.hostPointer")],
  ["USE_HOST_PTR", { flags: MemFlags.USE_HOST_PTR }, errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options.flags")],
  ["COPY_HOST_PTR", { flags: MemFlags.COPY_HOST_PTR }, errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options.flags")],
  ["a size", { size: 10 }, errorLike(RangeError, "ERR_OUT_OF_RANGE", "options")],
  ["contents", { host: new Uint8Array(4) }, errorLike(RangeError, "ERR_OUT_OF_RANGE", "options")],
  ["an access that there is not", { access: "rw" }, errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options.access")],
  [
    "flags that exclude each other",
    { access: "read-only", flags: MemFlags.WRITE_ONLY },
    errorLike(TypeError, "ERR_INVALID_ARG_VALUE"),
  ],
  ["a label that is no string", { label: 1 }, errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options.label")],
  [
    "properties that are no pairs",
    { properties: [1] },
    errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options.properties[0]"),
  ],
  [
    "sharing of which there is no such degree",
    { hostCoherent: true },
    errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options.hostCoherent"),
  ],
  ["options that are none", 3, errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options")],
])("it refuses %s before there is a buffer", (_, options, message) => {
  expect(() => make(options)).toThrow(message);
});

test("it refuses what is no context", () => {
  expect(() => make(undefined, {})).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "context"));
});

test("what no device can allocate at once is a RangeError, which no retry would help", () => {
  expect(() => make().allocate(Number.MAX_SAFE_INTEGER)).toThrow(RangeError);
});
