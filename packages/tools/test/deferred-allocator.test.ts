import { Context } from "@cl/core";
import { DeferredAllocator } from "@cl/tools";
import { expect, test } from "vitest";

const context = Context.create();

test("a DeferredAllocator gives a buffer of the size, and null for no bytes", () => {
  const allocator = new DeferredAllocator(context);
  expect(allocator.allocate(100)?.size).toBe(100);
  expect(allocator.allocate(0)).toBeNull();
});
