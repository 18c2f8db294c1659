import { expectTypeOf, test } from "vitest";
import type { KernelsOf, UntypedArguments } from "@cl/core";
import type { Pointer } from "./fixtures.js";

/** What a 64-bit integer takes. */
type Long = number | bigint;

type Twice<Text extends string> = `${Text}${Text}`;
type Times16<Text extends string> = Twice<Twice<Twice<Twice<Text>>>>;
type Times256<Text extends string> = Times16<Times16<Text>>;
type Times1024<Text extends string> = Twice<Twice<Times256<Text>>>;

/** Two hundred characters of the kind that costs steps: comments, divisions, strings, blank lines. */
type Busy = `
    // This line, which isn't code, says what the next one does: / and "quotes" in it do not matter.

    sum += values[i] / 2.0f; /* half of it */
    printf("%d of \\"%d\\"\\n", i, n);
`;

type Kernel<Name extends string> = `
  /* Adds and scales ${Name}. */
  __kernel void ${Name}(
      __global const float * restrict values, // what is added
      __global float4 *out,                   /* where to */
      unsigned int n, long seed)
  {${Twice<Twice<Busy>>}
  }
`;

type Arguments = [Pointer<Float32Array>, Pointer<Float32Array>, number, Long];

test("twenty kernels in twenty thousand characters are read", () => {
  type Five<P extends string> =
    `${Kernel<`${P}1`>}${Kernel<`${P}2`>}${Kernel<`${P}3`>}${Kernel<`${P}4`>}${Kernel<`${P}5`>}`;
  type Found = KernelsOf<`${Five<"a">}${Five<"b">}${Five<"c">}${Five<"d">}`>;
  type Digit = "1" | "2" | "3" | "4" | "5";
  expectTypeOf<Found>().toEqualTypeOf<Record<`${"a" | "b" | "c" | "d"}${Digit}`, Arguments>>();
});

test("a thousand comments, divisions and strings are no limit", () => {
  type Found = KernelsOf<`${Times256<Busy>}${Kernel<"f">}`>;
  expectTypeOf<Found>().toEqualTypeOf<{ f: Arguments }>();
});

test("a very long comment with blank lines before a kernel is passed over", () => {
  type Found = KernelsOf<`float g();${Times256<"      // text\n\n">}${Kernel<"f">}`>;
  expectTypeOf<Found["f"]>().toExtend<unknown[]>();
});

test("past every limit a source is untyped, not an error", () => {
  type Comments = KernelsOf<`${Times16<Times256<"/* */">>}${Kernel<"f">}`>;
  expectTypeOf<Comments>().toEqualTypeOf<KernelsOf<string>>();
  type Directives = KernelsOf<`${Times1024<"#define A 1\n">}${Kernel<"f">}`>;
  expectTypeOf<Directives>().toEqualTypeOf<KernelsOf<string>>();
  type Keywords = KernelsOf<`${Times1024<"int kernel_size;\n">}${Kernel<"f">}`>;
  expectTypeOf<Keywords>().toEqualTypeOf<KernelsOf<string>>();
  type Parameters = KernelsOf<`kernel void f(${Times1024<"int a, ">}int a) {}`>;
  expectTypeOf<Parameters>().toEqualTypeOf<{ f: UntypedArguments }>();
  type Escapes = KernelsOf<`kernel void f(int a) { "${Times1024<'\\"'>}" }`>;
  expectTypeOf<Escapes>().toEqualTypeOf<KernelsOf<string>>();
  type Calls = KernelsOf<`__attribute__((${Times1024<"()">})) kernel void f(int a) {}`>;
  expectTypeOf<Calls>().toEqualTypeOf<KernelsOf<string>>();
  type Brackets = KernelsOf<`__attribute__(${Times1024<"(">}${Times1024<")">}) kernel void f(int a) {}`>;
  expectTypeOf<Brackets>().toEqualTypeOf<KernelsOf<string>>();
});
