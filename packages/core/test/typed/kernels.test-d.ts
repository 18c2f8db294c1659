import { describe, expectTypeOf, test } from "vitest";
import type { KernelArgumentLike, KernelArguments, KernelNames, KernelParameterNames, KernelsOf } from "@cl/core";
import type { Pointer } from "./fixtures.js";

describe("finding kernels", () => {
  test("every kernel of a source is found, and no other function", () => {
    type Found = KernelsOf<`
      float square(float x) { return x * x; }
      __kernel void first(float a) { float b = square(a); }
      static int helper(int kernel_size, int my_kernel) { return kernel_size; }
      kernel void second(__global int *b, uint n) {
        for (int i = 0; i < 4; i++) { b[i] = i / 2; }
      }`>;
    expectTypeOf<Found>().toEqualTypeOf<{ first: [number]; second: [Pointer<Int32Array>, number] }>();
  });

  test("a signature may span lines, with tabs and either line ending", () => {
    type Unix = KernelsOf<"__kernel\nvoid\nf\n(\n\tfloat\ta,\n\t__global\n\tint\n*b\n)\n{\n}">;
    expectTypeOf<Unix>().toEqualTypeOf<{ f: [number, Pointer<Int32Array>] }>();
    type Windows = KernelsOf<"// a line\r\n__kernel void f(\r\n\tfloat a,\r\n\t__global int *b)\r\n{\r\n}\r\n">;
    expectTypeOf<Windows>().toEqualTypeOf<{ f: [number, Pointer<Int32Array>] }>();
  });

  test("the kernel keyword may stand before or behind void", () => {
    expectTypeOf<KernelsOf<"void __kernel f(int a) {}">>().toEqualTypeOf<{ f: [number] }>();
    expectTypeOf<KernelsOf<"int g() { return 1; } void kernel f(int a) {}">>().toEqualTypeOf<{ f: [number] }>();
  });

  test("attributes may stand anywhere around a kernel", () => {
    type Found = KernelsOf<`
      __attribute__((reqd_work_group_size(8, 8, 1))) __kernel void a(int x) {}
      __kernel __attribute__((vec_type_hint(float4))) __attribute__ ((work_group_size_hint((8), 1, 1)))
      void b(int x) {}
      __kernel void __attribute__((noinline)) c(int x) {}
      void __attribute__((noinline)) __kernel d(int x) {}
      __kernel void e(int x) __attribute__((noinline));`>;
    expectTypeOf<KernelNames<"">>().toEqualTypeOf<string>();
    expectTypeOf<Found>().toEqualTypeOf<{ a: [number]; b: [number]; c: [number]; d: [number]; e: [number] }>();
  });

  test("a prototype and its definition are one kernel", () => {
    expectTypeOf<KernelsOf<"kernel void f(int);\nkernel void f(int a) {}">>().toEqualTypeOf<{ f: [number] }>();
  });
});

describe("text that is not code", () => {
  test("comments may stand anywhere, and kernels in them are none", () => {
    type Found = KernelsOf<`
      // __kernel void fake(int a) { it's "not" code
      /* __kernel void fake(int a) {
         /* // isn't either " */
      __kernel/**/void /* " */ f( // first
        int a, /* , int b ) { */ float b /* last */ // end
      ) { a = 1 /* one */ / 2; /*/ still a comment */ }
      //`>;
    expectTypeOf<Found>().toEqualTypeOf<{ f: [number, number] }>();
  });

  test("kernels and comment marks in string and character literals are none", () => {
    type Found = KernelsOf<`
      __kernel void f(int a) {
        printf("__kernel void fake(int a) { /* // '\\"", '"', '/', '\\'');
        printf("don't // \\n");
      }
      __kernel void g(long b) {}`>;
    expectTypeOf<Found>().toEqualTypeOf<{ f: [number]; g: [bigint] }>();
  });

  test("a continued line is one line, in a comment too", () => {
    type Found = KernelsOf<"// a \\\n__kernel void fake() {}\n__ker\\\nnel void f(int a) {}">;
    expectTypeOf<Found>().toEqualTypeOf<{ f: [number] }>();
  });
});

describe("names for types", () => {
  test("simple typedefs are followed", () => {
    type Found = KernelsOf<`
      typedef float real;
      typedef real scalar;
      typedef const unsigned long int word;
      typedef float4 quad_t;
      __kernel void f(real a, __global scalar *b, word c, __global quad_t *d) {}`>;
    expectTypeOf<Found>().toEqualTypeOf<{ f: [number, Pointer<Float32Array>, bigint, Pointer<Float32Array>] }>();
  });

  test("a macro that is one built-in type is followed", () => {
    type Found = KernelsOf<`
      #define REAL float
      # define  INDEX  unsigned int
      __kernel void f(__global REAL *a, INDEX b) {}`>;
    expectTypeOf<Found>().toEqualTypeOf<{ f: [Pointer<Float32Array>, number] }>();
  });

  test("any other typedef is an unknown type", () => {
    type Found = KernelsOf<`
      typedef struct { float x, y; } Point;
      typedef float Vector __attribute__((ext_vector_type(4)));
      typedef float Matrix[16];
      typedef __global float *Floats;
      __kernel void f(__global Point *a, Vector b, Floats c) {}`>;
    expectTypeOf<Found>().toEqualTypeOf<{ f: [Pointer, KernelArgumentLike, KernelArgumentLike] }>();
  });

  test("a name that means different types is an unknown type", () => {
    type Found = KernelsOf<`
      #ifdef USE_DOUBLE
      typedef double real;
      #else
      typedef float real;
      #endif
      #ifndef WORD
      #define WORD int
      #endif
      __kernel void f(__global real *a, WORD b) {}`>;
    expectTypeOf<Found>().toEqualTypeOf<{ f: [Pointer, KernelArgumentLike] }>();
  });
});

describe("preprocessor lines that leave kernels alone", () => {
  test("pragmas, constants and helper macros do not matter", () => {
    type Found = KernelsOf<`
      #pragma OPENCL EXTENSION cl_khr_fp64 : enable
      #define kernel_radius 3
      #define SIZE (2 * kernel_radius + 1)
      #define MAX(a, b) \\
        ((a) > (b) ? (a) : (b))
      #define FLAG
      __kernel void f(__global double *a, int n) { a[0] = MAX(n, SIZE); }`>;
    expectTypeOf<Found>().toEqualTypeOf<{ f: [Pointer<Float64Array>, number] }>();
  });

  test("conditionals beside kernels and inside their bodies do not matter", () => {
    type Found = KernelsOf<`
      #if defined(cl_khr_fp64) && !defined(NO_DOUBLE)
      # pragma OPENCL EXTENSION cl_khr_fp64 : enable
      #elif 1
      #define SLOW 1
      #endif
      __kernel void f(int a) {
      #ifdef SLOW
        a /= 2;
      #endif
      }
      __kernel void g(long b) {}`>;
    expectTypeOf<Found>().toEqualTypeOf<{ f: [number]; g: [bigint] }>();
  });

  test("a macro defined after a kernel cannot change it", () => {
    type Found = KernelArguments<"__kernel void f(real x, int n) {}\n#define n 5\n#define real float\n", "f">;
    expectTypeOf<Found>().toEqualTypeOf<[KernelArgumentLike, number]>();
  });
});

describe("parameters' names", () => {
  test("are those of the definition, in order", () => {
    type Source = "__kernel void f(float dt, __global const float * restrict u, __global float v[], uint n) {}";
    expectTypeOf<KernelParameterNames<Source, "f">>().toEqualTypeOf<["dt", "u", "v", "n"]>();
    expectTypeOf<KernelParameterNames<"__kernel void f(void) {}", "f">>().toEqualTypeOf<[]>();
  });

  test("are unknown where a source is, or where a prototype says others", () => {
    expectTypeOf<KernelParameterNames<string, "f">>().toEqualTypeOf<readonly string[]>();
    type Source = "__kernel void f(float a); __kernel void f(float b) {}";
    expectTypeOf<KernelParameterNames<Source, "f">>().toEqualTypeOf<readonly string[]>();
    expectTypeOf<KernelArguments<Source, "f">>().toEqualTypeOf<[number]>();
    expectTypeOf<KernelParameterNames<"__kernel void f(float);", "f">>().toEqualTypeOf<[string]>();
  });
});
