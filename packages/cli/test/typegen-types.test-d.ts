/** The modules' types equal those of source literals. typegen.test.ts checks that typegen generates these modules. */
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
import type { source as grayScott } from "./fixtures/kernels/gray-scott.cl.js";
import type { source as ordinary } from "./fixtures/kernels/ordinary.cl.js";
import type { source as strange } from "./fixtures/kernels/strange.cl.js";
import type * as literals from "./fixtures/literals.js";
import type { source as addSignatures } from "./fixtures/signatures/add.cl.js";
import type { source as branchesSignatures } from "./fixtures/signatures/branches.cl.js";
import type { source as grayScottSignatures } from "./fixtures/signatures/gray-scott.cl.js";
import type { source as ordinarySignatures } from "./fixtures/signatures/ordinary.cl.js";
import type { source as strangeSignatures } from "./fixtures/signatures/strange.cl.js";

declare const context: Context;
declare const given: typeof addSignatures;

test("a module's source has the type of the literal", () => {
  expectTypeOf<typeof add>().toEqualTypeOf<typeof literals.add>();
  expectTypeOf<typeof branches>().toEqualTypeOf<typeof literals.branches>();
  expectTypeOf<typeof grayScott>().toEqualTypeOf<typeof literals.grayScott>();
  expectTypeOf<typeof ordinary>().toEqualTypeOf<typeof literals.ordinary>();
  expectTypeOf<typeof strange>().toEqualTypeOf<typeof literals.strange>();
});

test("signatures have the kernels of the literal", () => {
  expectTypeOf<KernelsOf<typeof addSignatures>>().toEqualTypeOf<KernelsOf<typeof literals.add>>();
  expectTypeOf<KernelsOf<typeof branchesSignatures>>().toEqualTypeOf<KernelsOf<typeof literals.branches>>();
  expectTypeOf<KernelsOf<typeof grayScottSignatures>>().toEqualTypeOf<KernelsOf<typeof literals.grayScott>>();
  expectTypeOf<KernelsOf<typeof ordinarySignatures>>().toEqualTypeOf<KernelsOf<typeof literals.ordinary>>();
  expectTypeOf<KernelsOf<typeof strangeSignatures>>().toEqualTypeOf<KernelsOf<typeof literals.strange>>();
});

test("signatures have the names of the literal's parameters", () => {
  type Names<S extends string> = KernelParameterNames<S, "diffuse">;
  expectTypeOf<Names<typeof grayScottSignatures>>().toEqualTypeOf<Names<typeof literals.grayScott>>();
  expectTypeOf<Names<typeof grayScottSignatures>>().toEqualTypeOf<["u", "v", "spread_u", "spread_v", "dt"]>();
});

test("modules of ordinary code have the types of their literals", () => {
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
