import { type Allocator, Context, DeviceBuffer } from "@cl/core";
import { errorLike, outOfRange, wrongType } from "@cl/testing/error-like";
import { Adaptor } from "@cl/tools";
import { expect, test } from "vitest";

import { adaptors } from "./support/adaptors.js";
import { context, plain, ScriptedAllocator, thrownBy } from "./support/allocators.js";

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
  expect(adaptor.deferred).toBe(false);
  // The FallbackAdaptor has the same allocator twice.
  expect(adaptor.freeHeld()).toBe(name === "FallbackAdaptor" ? 246 : 123);
  expect(make(plain).deferred).toBe(true);
  expect(make(new ScriptedAllocator(() => null)).deferred).toBe(false);
  expect(make(plain).freeHeld()).toBe(0);
});

test.each(adaptors)("%s rejects an upstream that is not an allocator", (name, make) => {
  const expected = name === "FallbackAdaptor" ? wrongType("primary") : wrongType("upstream");
  for (const wrong of [undefined, null, 7, {}, { allocate: () => null }, { context }, { context, allocate: 1 }]) {
    expect(() => make(wrong as unknown as Allocator)).toThrow(expected);
  }
});

test.each<[string, (bytes: number) => unknown]>([
  ["returns null", () => null],
  ["returns too few bytes", (bytes) => new DeviceBuffer(context, bytes - 1)],
  ["returns memory of another context", (bytes) => new DeviceBuffer(new Context(context.devices), bytes)],
  [
    "throws a value that is not an error",
    () => {
      // oxlint-disable-next-line typescript/only-throw-error -- this is what the test is about
      throw "help";
    },
  ],
])("the error names an upstream that %s, and its memory is released", (_, answer) => {
  for (const [, make] of adaptors.filter(([name]) => name !== "AlignedAdaptor")) {
    let given: unknown;
    const upstream = new ScriptedAllocator((bytes) => (given = answer(bytes)));
    expect(() => make(upstream).allocate(100)).toThrow(
      errorLike(TypeError, "ERR_CL_BAD_ALLOCATOR", "ScriptedAllocator"),
    );
    if (given instanceof DeviceBuffer) expect(given.released).toBe(true);
  }
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
  expect(() => adaptor.allocate(-1)).toThrow(outOfRange("bytes"));
});
