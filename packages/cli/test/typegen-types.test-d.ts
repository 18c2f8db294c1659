/** The types of signatures equal those of the sources. typegen.test.ts checks that typegen generates these modules. */
import { expectTypeOf, test } from "vitest";
import {
  type BufferArgument,
  type Context,
  type ImageArgument,
  type KernelArgumentLike,
  type KernelParameterNames,
  type KernelsOf,
  Program,
} from "@cl/core";

import type { source as add } from "./fixtures/kernels/add.cl.js";
import type { source as branches } from "./fixtures/kernels/branches.cl.js";
import type { source as ordinary } from "./fixtures/kernels/ordinary.cl.js";
import type { source as strange } from "./fixtures/kernels/strange.cl.js";
import type { source as addSignatures } from "./fixtures/signatures/add.cl.js";
import type { source as branchesSignatures } from "./fixtures/signatures/branches.cl.js";
import type { source as ordinarySignatures } from "./fixtures/signatures/ordinary.cl.js";
import type { source as strangeSignatures } from "./fixtures/signatures/strange.cl.js";

declare const context: Context;
declare const given: typeof addSignatures;

test("signatures have the kernels of the source", () => {
  expectTypeOf<KernelsOf<typeof addSignatures>>().toEqualTypeOf<KernelsOf<typeof add>>();
  expectTypeOf<KernelsOf<typeof branchesSignatures>>().toEqualTypeOf<KernelsOf<typeof branches>>();
  expectTypeOf<KernelsOf<typeof ordinarySignatures>>().toEqualTypeOf<KernelsOf<typeof ordinary>>();
  expectTypeOf<KernelsOf<typeof strangeSignatures>>().toEqualTypeOf<KernelsOf<typeof strange>>();
});

test("signatures have the names of the source's parameters", () => {
  type Names<S extends string> = KernelParameterNames<S, "move">;
  expectTypeOf<Names<typeof ordinarySignatures>>().toEqualTypeOf<Names<typeof ordinary>>();
  expectTypeOf<Names<typeof ordinarySignatures>>().toEqualTypeOf<["points", "times", "by", "way", "how"]>();
});

test("ordinary code has typed kernels", () => {
  type Floats = BufferArgument<Float32Array> | null;
  expectTypeOf<KernelsOf<typeof ordinary>>().toEqualTypeOf<{
    move: [BufferArgument | null, BufferArgument | null, number, number, KernelArgumentLike];
    sample: [ImageArgument, Floats, number] | [Floats, Floats, number];
    add: [Floats, number] | [Floats, number | bigint];
    [name: `_Z5scale${string}`]: [KernelArgumentLike, number];
  }>();
});

test("the types are specific to their source", () => {
  type Floats = BufferArgument<Float32Array> | null;
  expectTypeOf<KernelsOf<typeof addSignatures>>().toEqualTypeOf<{ add: [Floats, Floats, Floats, number] }>();
  const program = new Program(context, given);
  expectTypeOf(program.kernel).parameter(0).toEqualTypeOf<"add">();
  // @ts-expect-error: there is no such kernel.
  program.kernel("adds");
});
