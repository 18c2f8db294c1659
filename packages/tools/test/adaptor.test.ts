import { type Allocator, CommandQueue, Context, DeviceBuffer } from "@cl/core";
import { errorLike } from "@cl/testing/error-like";
import {
  Adaptor,
  AlignedAdaptor,
  FailureCallbackAdaptor,
  FallbackAdaptor,
  LimitAdaptor,
  LogAdaptor,
  RetryAdaptor,
  StatisticsAdaptor,
  TrackAdaptor,
} from "@cl/tools";
import { expect, test } from "vitest";

import { context, plain, ScriptedAllocator, thrownBy } from "./support/allocators.js";

const adaptors: readonly (readonly [string, (upstream: Allocator) => Adaptor])[] = [
  ["AlignedAdaptor", (upstream) => new AlignedAdaptor(upstream, 64)],
  ["FailureCallbackAdaptor", (upstream) => new FailureCallbackAdaptor(upstream, () => false)],
  ["FallbackAdaptor", (upstream) => new FallbackAdaptor(upstream, plain)],
  ["LimitAdaptor", (upstream) => new LimitAdaptor(upstream, 2 ** 40)],
  ["LogAdaptor", (upstream) => new LogAdaptor(upstream, () => undefined)],
  ["RetryAdaptor", (upstream) => new RetryAdaptor(upstream)],
  ["StatisticsAdaptor", (upstream) => new StatisticsAdaptor(upstream)],
  ["TrackAdaptor", (upstream) => new TrackAdaptor(upstream)],
];

test.each(adaptors)("%s forwards context, deferred and freeHeld from its upstream", (name, make) => {
  const immediate: Allocator = {
    context,
    deferred: false,
    allocate: (bytes) => plain.allocate(bytes),
    freeHeld: () => 123,
  };
  const adaptor = make(immediate);
  expect(adaptor).toBeInstanceOf(Adaptor);
  expect(adaptor.upstream).toBe(immediate);
  expect(adaptor.context).toBe(context);
  // The fallback of the FallbackAdaptor is deferred.
  expect(adaptor.deferred).toBe(name === "FallbackAdaptor");
  expect(adaptor.freeHeld()).toBe(123);
  expect(make(plain).deferred).toBe(true);
  expect(make(new ScriptedAllocator(() => null)).deferred).toBe(name === "FallbackAdaptor");
  expect(make(plain).freeHeld()).toBe(0);
});

test.each(adaptors)("%s rejects an upstream that is not an allocator", (name, make) => {
  const expected =
    name === "FallbackAdaptor"
      ? errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "primary")
      : errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "upstream");
  for (const wrong of [undefined, null, 7, {}, { allocate: () => null }, { context }, { context, allocate: 1 }]) {
    expect(() => make(wrong as unknown as Allocator)).toThrow(expected);
  }
});

const other = new Context(context.devices);

test.each([
  ["undefined", () => undefined, "returned undefined, which is not a buffer or shared virtual memory"],
  ["null", () => null, "returned null, which is not a buffer or shared virtual memory"],
  ["a promise", () => Promise.resolve(null), "returned an instance of Promise, which is not a buffer"],
  ["a queue", () => new CommandQueue(context), "returned an instance of CommandQueue, which is not a buffer"],
  ["too few bytes", (bytes: number) => new DeviceBuffer(context, bytes - 1), "returned only 99"],
  [
    "memory of another context",
    (bytes: number) => new DeviceBuffer(other, bytes),
    "returned memory of another context",
  ],
  [
    "a thrown value that is not an error",
    () => {
      // oxlint-disable-next-line typescript/only-throw-error -- this is what the test is about
      throw "help";
    },
    "threw string 'help', which is not an Error",
  ],
])("the error names an upstream that returns %s", (_, answer, text) => {
  for (const [, make] of adaptors.filter(([name]) => name !== "AlignedAdaptor")) {
    const error = thrownBy(() => make(new ScriptedAllocator(answer)).allocate(100));
    expect(error).toBeInstanceOf(TypeError);
    expect(error).toMatchObject({ code: "ERR_CL_BAD_ALLOCATOR" });
    expect(String(error)).toContain(`ScriptedAllocator: allocate(100) ${text}`);
  }
});

test("errors distinguish an allocator without a class from its adaptor", () => {
  const upstream = { context, allocate: () => undefined } as unknown as Allocator;
  expect(() => new LimitAdaptor(upstream, 100).allocate(1)).toThrow(errorLike(TypeError, "ERR_CL_BAD_ALLOCATOR"));
});

test("invalid memory from an upstream is released", () => {
  let given: DeviceBuffer | undefined;
  const upstream = new ScriptedAllocator((bytes) => (given = new DeviceBuffer(context, bytes - 1)));
  expect(() => new TrackAdaptor(upstream).allocate(100)).toThrow(errorLike(TypeError, "ERR_CL_BAD_ALLOCATOR"));
  expect(given?.released).toBe(true);
});

test("errors of the upstream are passed on unchanged", () => {
  const mine = new Error("mine");
  const upstream = new ScriptedAllocator(() => {
    throw mine;
  });
  for (const [, make] of adaptors) expect(thrownBy(() => make(upstream).allocate(1))).toBe(mine);
});

test("a user's subclass of Adaptor only needs to override provide", () => {
  class DoubleAdaptor extends Adaptor {
    protected override provide(bytes: number): DeviceBuffer | null {
      return this.take(2 * bytes);
    }
  }
  const adaptor = new DoubleAdaptor(plain);
  using memory = adaptor.allocate(50);
  expect(memory?.size).toBe(100);
  expect(adaptor.allocate(0)).toBeNull();
  expect(() => adaptor.allocate(-1)).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE", "bytes"));
});
