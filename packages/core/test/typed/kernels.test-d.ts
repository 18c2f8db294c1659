import { describe, expectTypeOf, test } from "vitest";
import type {
  ImageArgument,
  KernelArgumentLike,
  KernelArguments,
  KernelNames,
  KernelParameterNames,
  KernelsOf,
  SamplerArgument,
} from "@cl/core";
import type { Pointer } from "./fixtures.js";

/** What a 64-bit integer takes. */
type Long = number | bigint;

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

  test("attributes, extern, inline and the kernel keyword may stand anywhere around a kernel", () => {
    type Found = KernelsOf<`
      __attribute__((reqd_work_group_size(8, 8, 1))) __kernel void a(int x) {}
      __kernel __attribute__((vec_type_hint(float4))) __attribute__ ((work_group_size_hint((8), 1, 1)))
      void b(int x) {}
      __kernel void __attribute__((noinline)) c(int x) {}
      void __attribute__((noinline)) __kernel d(int x) {}
      __kernel void e(int x) __attribute__((noinline)) {}
      int helper() { return 1; } void kernel f(int x) {}
      extern kernel void g(int x) {} inline
      __kernel void h(int x) {} extern void kernel i() {}`>;
    expectTypeOf<KernelNames<"">>().toEqualTypeOf<string>();
    type One = [number];
    expectTypeOf<Found>().toEqualTypeOf<{ a: One; b: One; c: One; d: One; e: One; f: One; g: One; h: One; i: [] }>();
    expectTypeOf<KernelsOf<"void __kernel f(int a) {}">>().toEqualTypeOf<{ f: [number] }>();
  });

  test("a prototype and its definition are one kernel", () => {
    expectTypeOf<KernelsOf<"kernel void f(int);\nkernel void f(int a) {}">>().toEqualTypeOf<{ f: [number] }>();
  });

  test("a prototype alone is no kernel", () => {
    expectTypeOf<KernelNames<"kernel void g(int a);\nkernel void f(int a) {}">>().toEqualTypeOf<"f">();
    expectTypeOf<KernelNames<"kernel void g(int a);">>().toEqualTypeOf<string>();
  });

  test("an overloadable kernel has the name that the runtime gives it", () => {
    type Found = KernelsOf<`
      __attribute__((overloadable)) __kernel void add(int a) {}
      __kernel void __attribute__((overloadable)) add(__global float *x) {}
      __kernel void other(int a) {}`>;
    expectTypeOf<Found>().toEqualTypeOf<{
      [name: `_Z3add${string}`]: [number] | [Pointer<Float32Array>];
      other: [number];
    }>();
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

  test("kernels, comment marks, question marks and backslashes in literals do not matter", () => {
    type Found = KernelsOf<`
      // Is this right?? (Why??) Done to 100%: yes.
      /* ??= */
      __kernel void f(int a) {
        printf("__kernel void fake(int a) { /* // '\\"", '"', '/', '\\'');
        printf("don't // \\n"); printf("%d%%: what??!", a);
        char c = '\\\\'; printf("\\\\\\\\"); printf("\\\\\\" kernel void fake() {}");
      }
      __kernel void g(long b) { char d = '\\''; }`>;
    expectTypeOf<Found>().toEqualTypeOf<{ f: [number]; g: [Long] }>();
  });

  test("a quote without its other half ends with its line", () => {
    type Found = KernelsOf<`
      #ifndef cl_khr_fp64
      #error This device doesn't have double precision /* not a comment
      #endif
      __kernel void f(int a) {}`>;
    expectTypeOf<Found>().toEqualTypeOf<{ f: [number] }>();
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
    expectTypeOf<Found>().toEqualTypeOf<{ f: [number, Pointer<Float32Array>, Long, Pointer<Float32Array>] }>();
  });

  test("a macro of words that declarations have is followed", () => {
    type Found = KernelsOf<`
      #ifndef MACROS
      #define MACROS
      #define REAL float
      # define  INDEX  unsigned int
      #define IN
      #define DEVICE const __global
      #define RESTRICT restrict
      #define FLOATS __global float *
      #define uchar unsigned char
      typedef unsigned int uint;
      __kernel void f(IN DEVICE int * RESTRICT a, FLOATS b, INDEX c, IN REAL LONG_ago, uchar d, uint e) {}
      #endif`>;
    type N = number;
    expectTypeOf<Found>().toEqualTypeOf<{ f: [Pointer<Int32Array>, Pointer<Float32Array>, N, N, N, N] }>();
  });

  test("typedefs of images, samplers and enumerations are followed", () => {
    type Found = KernelsOf<`
      typedef read_only image2d_t picture;
      typedef sampler_t filter_t;
      typedef enum { NEAREST, LINEAR = 4 } Mode;
      typedef enum axis { X, Y, Z } Axis;
      __kernel void f(picture a, filter_t b, Mode c, Axis d, __global Mode *e) {}`>;
    expectTypeOf<Found>().toEqualTypeOf<{ f: [ImageArgument, SamplerArgument, number, number, Pointer] }>();
  });

  test("an enumeration that may have more than 32 bits, or fewer, is an unknown type", () => {
    type Found = KernelsOf<`
      typedef enum { SMALL = 1, LARGE = 1UL } Wide;
      typedef enum { BIT = 1 << 40 } Bits;
      typedef enum __attribute__((packed)) { A, B } Small;
      __kernel void f(Wide a, Bits b, Small c) {}`>;
    expectTypeOf<Found>().toEqualTypeOf<{ f: [KernelArgumentLike, KernelArgumentLike, KernelArgumentLike] }>();
  });

  test("a typedef in a branch holds in that branch", () => {
    type Found = KernelsOf<`
      #ifdef cl_khr_fp64
      typedef double real;
      __kernel void f(__global real *a) {}
      #endif
      __kernel void g(__global real *a) {}`>;
    expectTypeOf<Found>().toEqualTypeOf<{ f: [Pointer<Float64Array>]; g: [Pointer] }>();
  });

  test("any other typedef is an unknown type, also if a preprocessor line interrupts it", () => {
    type Found = KernelsOf<`
      typedef struct {
      #ifdef WIDE
        double x;
      #endif
        float y;
      } Item;
      typedef float Vector __attribute__((ext_vector_type(4)));
      typedef float Matrix[16];
      typedef __global float *Floats;
      __kernel void f(__global Item *a, Vector b, Floats c) {}`>;
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
  test("pragmas, constants, helper macros and conditionals beside kernels do not matter", () => {
    type Found = KernelsOf<`
      #if defined(cl_khr_fp64) && !defined(NO_DOUBLE)
      # pragma OPENCL EXTENSION cl_khr_fp64 : enable
      #elif 1
      #define SLOW 1
      #endif
      #define kernel_radius 3
      #define SIZE (2 * kernel_radius + 1)
      #define MAX(a, b) \\
        ((a) > (b) ? (a) : (b))
      __kernel void f(__global double *a, int n) {
      #ifdef SLOW
        a[0] = MAX(n, SIZE);
      #endif
      }
      __kernel void g(long b) {}`>;
    expectTypeOf<Found>().toEqualTypeOf<{ f: [Pointer<Float64Array>, number]; g: [Long] }>();
  });

  test("an include guard and a condition around a file do not matter", () => {
    type Guarded = KernelsOf<`
      #ifndef SCALE_CL
      #define SCALE_CL
      typedef float real;
      __kernel void f(__global real *a, real b) {}
      #endif // SCALE_CL`>;
    expectTypeOf<Guarded>().toEqualTypeOf<{ f: [Pointer<Float32Array>, number] }>();
    type Conditional = KernelsOf<`
      #if defined(cl_khr_fp64)
      #pragma OPENCL EXTENSION cl_khr_fp64 : enable
      #include "constants.h"
      __kernel void f(__global double *a) {}
      #else
      #error "double precision is needed"
      #endif`>;
    expectTypeOf<Conditional["f"]>().toEqualTypeOf<[Pointer<Float64Array>]>();
  });

  test("what is never compiled does not matter", () => {
    type Found = KernelsOf<`
      #if 0
      This isn't code: kernel void fake(int a) {}
      #define int long
      # ifdef X
      #include "more.cl"
      # else
      kernel void fake(int a) {}
      # endif
      #else
      kernel void f(int a) {}
      #endif
      kernel void g(int a
      #if 0
      , int b
      #endif
      ) {}`>;
    expectTypeOf<Found>().toEqualTypeOf<{ f: [number]; g: [number] }>();
  });

  test("what only a host's compiler reads does not matter", () => {
    type Found = KernelsOf<`
      #ifndef __OPENCL_VERSION__
      #define __kernel
      #define __global
      #define real double
      #else
      typedef float real;
      #endif
      #ifdef __OPENCL_C_VERSION__
      typedef long index_t;
      #else
      #include <stdint.h>
      typedef int64_t index_t;
      #endif
      #if !defined(__OPENCL_VERSION__)
      #include "host.h"
      #endif
      #if 1
      __kernel void f(__global real *a, index_t n
      #if defined __OPENCL_VERSION__
        , int b
      #else
        , int32_t b
      #endif
      ) {}
      #elif 1
      __kernel void fake(int a) {}
      #endif`>;
    expectTypeOf<Found>().toEqualTypeOf<{ f: [Pointer<Float32Array>, number | bigint, number] }>();
  });

  test("code between C and C++, with a type that is a macro", () => {
    type Found = KernelsOf<`
      #ifdef __cplusplus
      extern "C" {
      #endif
      #define fp float
      #define PER_BOX                                            \\
          100 // keep this low, it's more than a block / 2
      typedef struct { fp v, x, y, z; } FOUR_VECTOR;
      typedef struct par_str { fp alpha; } par_str;
      __kernel void boxes(par_str d_par, __global FOUR_VECTOR *d_rv, __global fp *d_qv, fp scale) {}
      #ifdef __cplusplus
      }
      #endif
    `>;
    expectTypeOf<Found>().toEqualTypeOf<{ boxes: [KernelArgumentLike, Pointer, Pointer<Float32Array>, number] }>();
  });

  test("a macro defined after a kernel cannot change it", () => {
    type Found = KernelArguments<"__kernel void f(real x, int n) {}\n#define n 5\n#define real float\n", "f">;
    expectTypeOf<Found>().toEqualTypeOf<[KernelArgumentLike, number]>();
  });
});

describe("kernels in several versions", () => {
  test("a kernel of each branch takes the arguments of either", () => {
    type Found = KernelsOf<`
      #ifdef DOUBLE
      kernel void f(global double *x, int n) {}
      #elif defined(HALF)
      kernel void f(global half *x, int n) {}
      #else
      kernel void f(global float *x, int n) {}
      #endif`>;
    expectTypeOf<Found["f"]>().toEqualTypeOf<
      | [Pointer<Float64Array>, number]
      | KernelArguments<"kernel void f(global half *x, int n) {}", "f">
      | [Pointer<Float32Array>, number]
    >();
    expectTypeOf<keyof Found>().toEqualTypeOf<"f">();
  });

  test("branches may have one signature, or one body", () => {
    type Body = KernelsOf<`
      kernel void f(int n)
      #ifdef FAST
      { n++; }
      #else
      { n--; }
      #endif
      kernel void g() {}`>;
    expectTypeOf<Body>().toEqualTypeOf<{ f: [number]; g: [] }>();
    type Signature = KernelsOf<`
      #ifdef FAST
      kernel void f(int n)
      #else
      kernel void f(long n)
      #endif
      { n++; }
      kernel void g() {}`>;
    expectTypeOf<Signature>().toEqualTypeOf<{ f: [number] | [Long]; g: [] }>();
  });

  test("a conditional inside a signature makes variants of it", () => {
    type Found = KernelsOf<`
      __kernel void f(
      #ifdef USE_IMAGE
        __read_only image2d_t in,
      # ifdef FILTER
        sampler_t how,
      # endif
      #else
        __global const float *in,
      #endif
        int n) { n++; }
      __kernel
      #ifdef SIZE
        __attribute__((reqd_work_group_size(SIZE, 1, 1)))
      #endif
      void g(long n
      #ifdef MORE
        , int m)
      #else
        )
      #endif
      { n++; } kernel void h() {}`>;
    expectTypeOf<Found>().toEqualTypeOf<{
      f: [ImageArgument, number] | [ImageArgument, SamplerArgument, number] | [Pointer<Float32Array>, number];
      g: [Long] | [Long, number];
      h: [];
    }>();
  });

  test("parameters' names are known where all versions have the same", () => {
    type Found = "#ifdef A\nkernel void f(int a) {}\n#else\nkernel void f(long a) {}\n#endif";
    expectTypeOf<KernelParameterNames<Found, "f">>().toEqualTypeOf<["a"]>();
    type Other = "#ifdef A\nkernel void f(int a) {}\n#else\nkernel void f(int b) {}\n#endif";
    expectTypeOf<KernelParameterNames<Other, "f">>().toEqualTypeOf<readonly string[]>();
  });
});

describe("parameters' names", () => {
  test("are those of the definition, in order", () => {
    type Source = "__kernel void f(float dt, __global const float * restrict u, __global float v[], uint n) {}";
    expectTypeOf<KernelParameterNames<Source, "f">>().toEqualTypeOf<["dt", "u", "v", "n"]>();
    expectTypeOf<KernelParameterNames<"__kernel void f(void) {}", "f">>().toEqualTypeOf<[]>();
  });

  test("are unknown where a source is", () => {
    expectTypeOf<KernelParameterNames<string, "f">>().toEqualTypeOf<readonly string[]>();
    expectTypeOf<KernelParameterNames<"__kernel void f(float);", "f">>().toEqualTypeOf<readonly string[]>();
  });

  test("are not those of a prototype", () => {
    type Source = "__kernel void f(float a); __kernel void f(float b) {}";
    expectTypeOf<KernelParameterNames<Source, "f">>().toEqualTypeOf<["b"]>();
    expectTypeOf<KernelArguments<Source, "f">>().toEqualTypeOf<[number]>();
  });
});
