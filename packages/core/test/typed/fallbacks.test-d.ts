import { describe, expectTypeOf, test } from "vitest";
import type { KernelArguments, KernelNames, KernelsOf, UntypedArguments } from "@cl/core";

/** Every name, with every argument list. */
type Untyped = Record<string, UntypedArguments>;

/** What is known of the kernels `f` and `other` in a source, and whether names that are not in it are allowed. */
interface View<F, Other, Open> {
  f: F;
  other: Other;
  open: Open;
}
type Look<Source extends string> = View<
  KernelArguments<Source, "f">,
  KernelArguments<Source, "other">,
  string extends KernelNames<Source> ? true : false
>;

/** `f(int)` is read; other kernels are allowed and untyped. */
type OnlyF = View<[number], UntypedArguments, true>;

/** Nothing is read, everything is allowed. */
type Nothing = View<UntypedArguments, UntypedArguments, true>;

/** `f(int)` is read, `other` is known by its name, and there are no other kernels. */
type OtherByName = View<[number], UntypedArguments, false>;

describe("sources that are not one literal", () => {
  test("a string, a template with holes, a choice of sources and any are untyped", () => {
    expectTypeOf<KernelsOf<string>>().toEqualTypeOf<Untyped>();
    expectTypeOf<KernelsOf<`__kernel void f(int a) { ${string} }`>>().toEqualTypeOf<Untyped>();
    expectTypeOf<KernelsOf<`__kernel void f${number}(int a) { }`>>().toEqualTypeOf<Untyped>();
    expectTypeOf<KernelsOf<"kernel void f(int a) {}" | "kernel void g(int a) {}">>().toEqualTypeOf<Untyped>();
    expectTypeOf<KernelsOf<never>>().toEqualTypeOf<Untyped>();
  });

  test("a source without kernels, which may be a part of a program, is untyped", () => {
    expectTypeOf<KernelsOf<"">>().toEqualTypeOf<Untyped>();
    expectTypeOf<KernelsOf<"float square(float x) { return x * x; }">>().toEqualTypeOf<Untyped>();
  });
});

describe("text that cannot be read", () => {
  test("an unterminated comment makes everything untyped", () => {
    expectTypeOf<KernelsOf<"kernel void f(int a) {} /* open">>().toEqualTypeOf<Untyped>();
  });

  test("digraphs, trigraphs, stray backslashes and old line ends make everything untyped", () => {
    expectTypeOf<KernelsOf<"%:define g f\nkernel void g(int a) {}">>().toEqualTypeOf<Untyped>();
    expectTypeOf<KernelsOf<"??=define g f\nkernel void g(int a) {}">>().toEqualTypeOf<Untyped>();
    expectTypeOf<KernelsOf<"// what??/\nkernel void g(int a) {}\nkernel void h(int a) {}">>().toEqualTypeOf<Untyped>();
    expectTypeOf<KernelsOf<"kernel void g(int a) { a = a ??' 2; }">>().toEqualTypeOf<Untyped>();
    expectTypeOf<KernelsOf<"kernel void g(int a) { a = '??''; }\nkernel void h(int a) {}">>().toEqualTypeOf<Untyped>();
    expectTypeOf<KernelsOf<"#define K \\ \nkernel void g(int a) {}">>().toEqualTypeOf<Untyped>();
    expectTypeOf<KernelsOf<"// old\rkernel void g(int a) {}\r//\nkernel void h(int a) {}">>().toEqualTypeOf<Untyped>();
  });

  test("unbalanced conditionals and attributes make everything untyped", () => {
    expectTypeOf<KernelsOf<"#endif\nkernel void f(int a) {}">>().toEqualTypeOf<Untyped>();
    expectTypeOf<KernelsOf<"__attribute__((x kernel void f(int a) {">>().toEqualTypeOf<Untyped>();
  });

  test("redefined keywords and types make everything untyped", () => {
    expectTypeOf<KernelsOf<"#define __kernel\n__kernel void f(int a) {}">>().toEqualTypeOf<Untyped>();
    expectTypeOf<KernelsOf<"#define int long\nkernel void f(int a) {}">>().toEqualTypeOf<Untyped>();
    expectTypeOf<KernelsOf<"#define float4 double4\nkernel void f(int a) {}">>().toEqualTypeOf<Untyped>();
  });
});

describe("kernels that cannot be read", () => {
  test("an unfinished signature leaves the kernel out", () => {
    expectTypeOf<Look<"kernel void f(int a) {} kernel void other(int a">>().toEqualTypeOf<OnlyF>();
    expectTypeOf<Look<"kernel void other(int a">>().toEqualTypeOf<Nothing>();
    expectTypeOf<Look<"kernel">>().toEqualTypeOf<Nothing>();
  });

  test("old-style, nameless and misplaced forms leave the kernel out", () => {
    expectTypeOf<Look<"kernel void f(int a) {} kernel void other(a, b) int a; float b; {}">>().toEqualTypeOf<OnlyF>();
    expectTypeOf<Look<"kernel void f(int a) {} kernel other(int a) {}">>().toEqualTypeOf<OnlyF>();
    expectTypeOf<Look<"kernel void f(int a) {} template<class T> kernel void other(T a) {}">>().toEqualTypeOf<OnlyF>();
  });

  test("parameters in no known form leave the arguments untyped", () => {
    expectTypeOf<Look<"kernel void f(int a) {} kernel void other(int a, ) {}">>().toEqualTypeOf<OtherByName>();
    expectTypeOf<Look<"kernel void f(int a) {} kernel void other(int (*a)[4]) {}">>().toEqualTypeOf<OtherByName>();
    expectTypeOf<Look<"kernel void f(int a) {} kernel void other(int a b) {}">>().toEqualTypeOf<OtherByName>();
    expectTypeOf<Look<"kernel void f(int a) {} kernel void other(int &a) {}">>().toEqualTypeOf<OtherByName>();
  });

  test("a word that may stand for a whole parameter list leaves the arguments untyped", () => {
    expectTypeOf<Look<"kernel void f(int a) {} kernel void other(PARAMETERS) {}">>().toEqualTypeOf<OtherByName>();
    type Last = Look<"kernel void f(int a) {} kernel void other(int a, global MORE) {}">;
    expectTypeOf<Last>().toEqualTypeOf<OtherByName>();
    expectTypeOf<Look<"kernel void f(int a) {} kernel void other(MORE int a) {}">>().toEqualTypeOf<OtherByName>();
    expectTypeOf<Look<"kernel void f(int a) {} kernel void other(MORE uint a) {}">>().toEqualTypeOf<OtherByName>();
    expectTypeOf<Look<"kernel void f(int a) {} kernel void other(GLOBAL REAL *a) {}">>().toEqualTypeOf<OtherByName>();
    expectTypeOf<Look<"kernel void f(int a) {} kernel void other(GLOBAL uint *a) {}">>().toEqualTypeOf<OtherByName>();
  });

  test("a kernel inside brackets of something else is left out", () => {
    expectTypeOf<Look<"kernel void f(int a) {} SKIP(kernel void other(int a) {})">>().toEqualTypeOf<OnlyF>();
    expectTypeOf<Look<"kernel void f(int a) {} namespace n { kernel void other(int a) {} }">>().toEqualTypeOf<OnlyF>();
  });
});

describe("macros and kernels", () => {
  test("a macro in a parameter list leaves the arguments untyped", () => {
    type Twice = Look<`
      #ifdef A
      #define SPACE __global
      #else
      #define SPACE __constant
      #endif
      kernel void f(int a) {} kernel void other(SPACE int *a) {}`>;
    expectTypeOf<Twice>().toEqualTypeOf<OtherByName>();
    type Undefined =
      Look<"#define SPACE __global\n#undef SPACE\nkernel void f(int a) {} kernel void other(SPACE int *a) {}">;
    expectTypeOf<Undefined>().toEqualTypeOf<OtherByName>();
    type Keyword = Look<"#define __global __constant\nkernel void f(int a) {} kernel void other(__global int *a) {}">;
    expectTypeOf<Keyword>().toEqualTypeOf<OtherByName>();
    type List = Look<"#define ARGS int, int\nkernel void f(int a) {} kernel void other(ARGS a) {}">;
    expectTypeOf<List>().toEqualTypeOf<OtherByName>();
  });

  test("a macro for a kernel's name, or before it, leaves the kernel out", () => {
    type Name = Look<"#define g other\nkernel void f(int a) {} kernel void g(int a) {}">;
    expectTypeOf<Name>().toEqualTypeOf<OnlyF>();
    type Call = Look<"kernel void f(int a) {} kernel void NAME(other)(int a) {}">;
    expectTypeOf<Call>().toEqualTypeOf<OnlyF>();
    type Prefix = Look<"kernel void f(int a) {} kernel SIZED(8) void other(int a) {}">;
    expectTypeOf<Prefix>().toEqualTypeOf<OnlyF>();
  });

  test("a macro that changes its meaning leaves the arguments behind it untyped", () => {
    type Found = Look<`
      #define T int
      kernel void f(T a) {}
      #undef T
      #define T double4
      kernel void other(T a) {}`>;
    expectTypeOf<Found>().toEqualTypeOf<OtherByName>();
  });

  test("macros that could make kernels allow other names", () => {
    expectTypeOf<Look<"#define KERNEL __kernel void\nkernel void f(int a) {}">>().toEqualTypeOf<OnlyF>();
    expectTypeOf<Look<"#define K(n) kernel void n(int a)\nkernel void f(int a) {}">>().toEqualTypeOf<OnlyF>();
    expectTypeOf<Look<"#define JOIN(a, b) a##b\nkernel void f(int a) {}">>().toEqualTypeOf<OnlyF>();
  });

  test("the kernel keyword as a macro's argument allows other names", () => {
    expectTypeOf<Look<"kernel void f(int a) {} ID(kernel) void other(int a) {}">>().toEqualTypeOf<OnlyF>();
  });
});

describe("sources in several versions", () => {
  test("an include allows other names", () => {
    expectTypeOf<Look<'#include "more.cl"\nkernel void f(int a) {}'>>().toEqualTypeOf<OnlyF>();
    expectTypeOf<Look<"# include <more.cl>\nkernel void f(int a) {}">>().toEqualTypeOf<OnlyF>();
  });

  test("a kernel of one branch is untyped where another may have one that is not read", () => {
    type Included = Look<`
      kernel void f(int a) {}
      #ifdef FAST
      kernel void other(int a) {}
      #else
      #include "slow.cl"
      #endif`>;
    expectTypeOf<Included>().toEqualTypeOf<OnlyF>();
    type Pasted = Look<`
      #define DECLARE(name) void name##_all()
      #ifdef FAST
      kernel void f(int a) {}
      #endif`>;
    expectTypeOf<Pasted>().toEqualTypeOf<Nothing>();
  });

  test("a signature that begins in a branch and ends behind it is left out", () => {
    type Found = Look<`
      kernel void f(int a) {}
      #ifdef FAST
      kernel void other(int a,
      #else
      kernel void other(float a,
      #endif
      int b) {}`>;
    expectTypeOf<Found>().toEqualTypeOf<OnlyF>();
  });

  test("a variant of a signature that is not read leaves the kernel out", () => {
    type Found = Look<`
      kernel void f(int a) {}
      #define OTHER other
      kernel void
      #ifdef FAST
      OTHER
      #else
      other
      #endif
      (int a) {}`>;
    expectTypeOf<Found>().toEqualTypeOf<OnlyF>();
    type Names = Look<`
      kernel void f(int a) {}
      kernel void
      #ifdef FAST
      fast
      #else
      other
      #endif
      (int a) {}`>;
    expectTypeOf<Names>().toEqualTypeOf<OnlyF>();
    type Part = Look<'kernel void f(int a) {} kernel void other(\n#include "arguments.h"\n) {}'>;
    expectTypeOf<Part>().toEqualTypeOf<OtherByName>();
  });

  test("a signature with very many conditionals is left out", () => {
    type More<Name extends string> = `\n#ifdef ${Name}\n, int ${Name}\n#endif\n`;
    type Five = `${More<"a">}${More<"b">}${More<"c">}${More<"d">}${More<"e">}`;
    expectTypeOf<KernelArguments<`kernel void f(int x${Five}) {}`, "f">["length"]>().toEqualTypeOf<
      1 | 2 | 3 | 4 | 5 | 6
    >();
    type Six = `${Five}${More<"g">}`;
    expectTypeOf<Look<`kernel void f(int a) {} kernel void other(int x${Six}) {}`>>().toEqualTypeOf<OnlyF>();
  });
});
