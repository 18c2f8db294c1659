import { describe, expectTypeOf, test } from "vitest";
import type { ImageArgument, KernelArgumentLike, KernelParameterNames, LocalArgument, SamplerArgument } from "@cl/core";
import type { Parameters, Pointer } from "./fixtures.js";

/** What a 64-bit integer takes. */
type Long = number | bigint;

type OneFloatPointer = [Pointer<Float32Array>];

describe("scalars", () => {
  test("numbers take numbers, and 64-bit integers also bigints", () => {
    type Found = Parameters<"char a, uchar b, short c, ushort d, int e, uint f, half g, float h, double i">;
    type N = number;
    expectTypeOf<Found>().toEqualTypeOf<[N, N, N, N, N, N, N, N, N]>();
    expectTypeOf<Parameters<"long a, ulong b">>().toEqualTypeOf<[Long, Long]>();
  });

  test("types may be spelled with several words in any order, with qualifiers on either side", () => {
    type Small = Parameters<"unsigned a, unsigned int b, signed c, short int d, unsigned char e, int unsigned short f">;
    expectTypeOf<Small>().toEqualTypeOf<[number, number, number, number, number, number]>();
    type Large = Parameters<"unsigned long a, long int b, int long unsigned c, signed long d">;
    expectTypeOf<Large>().toEqualTypeOf<[Long, Long, Long, Long]>();
    type Qualified = Parameters<"const int a, long const b, __private float c, const volatile unsigned d">;
    expectTypeOf<Qualified>().toEqualTypeOf<[number, Long, number, number]>();
  });

  test("types that are illegal or unclear as arguments are untyped, but counted", () => {
    type Found = Parameters<"bool a, size_t b, ptrdiff_t c, long long d, long unsigned long int e, unsigned float f">;
    type U = KernelArgumentLike;
    expectTypeOf<Found>().toEqualTypeOf<[U, U, U, U, U, U]>();
  });
});

describe("vectors", () => {
  test("a vector takes its typed array or a tuple of its length", () => {
    type Found = Parameters<"float2 a, int3 b, double4 c">;
    expectTypeOf<Found>().toEqualTypeOf<
      [
        Float32Array | readonly [number, number],
        Int32Array | readonly [number, number, number],
        Float64Array | readonly [number, number, number, number],
      ]
    >();
  });

  test("a vector of 64-bit integers holds numbers and bigints, and long ones have tuples too", () => {
    expectTypeOf<Parameters<"ulong2 a">>().toEqualTypeOf<[BigUint64Array | readonly [Long, Long]]>();
    expectTypeOf<Extract<Parameters<"char8 a">[0], readonly unknown[]>["length"]>().toEqualTypeOf<8>();
    expectTypeOf<Extract<Parameters<"float16 a">[0], readonly unknown[]>["length"]>().toEqualTypeOf<16>();
  });

  test("lengths that OpenCL does not have are unknown types", () => {
    expectTypeOf<Parameters<"float5 a">>().toEqualTypeOf<[KernelArgumentLike]>();
  });
});

describe("pointers", () => {
  test("qualifiers and address space come in any order", () => {
    expectTypeOf<Parameters<"__global float *x">>().toEqualTypeOf<OneFloatPointer>();
    expectTypeOf<Parameters<"__global const float * restrict x">>().toEqualTypeOf<OneFloatPointer>();
    expectTypeOf<Parameters<"const global float*x">>().toEqualTypeOf<OneFloatPointer>();
    expectTypeOf<Parameters<"global float const * x">>().toEqualTypeOf<OneFloatPointer>();
    expectTypeOf<Parameters<"float __global *__restrict x">>().toEqualTypeOf<OneFloatPointer>();
    expectTypeOf<Parameters<"volatile __global float* const x">>().toEqualTypeOf<OneFloatPointer>();
    expectTypeOf<Parameters<"const __constant float *x">>().toEqualTypeOf<OneFloatPointer>();
    expectTypeOf<Parameters<"constant float *x">>().toEqualTypeOf<OneFloatPointer>();
  });

  test("an array parameter is a pointer", () => {
    expectTypeOf<Parameters<"__global float x[]">>().toEqualTypeOf<OneFloatPointer>();
    expectTypeOf<Parameters<"__global float x[4][4]">>().toEqualTypeOf<OneFloatPointer>();
    expectTypeOf<Parameters<"__local float x[64]">>().toEqualTypeOf<[LocalArgument]>();
  });

  test("each element type has its typed array", () => {
    type Found =
      Parameters<"__global char *a, __global short *b, __global int *c, __global uint *d, __global double *e">;
    expectTypeOf<Found>().toEqualTypeOf<
      [Pointer<Int8Array>, Pointer<Int16Array>, Pointer<Int32Array>, Pointer<Uint32Array>, Pointer<Float64Array>]
    >();
    type Wide = Parameters<"__global long *a, __global unsigned long *b">;
    expectTypeOf<Wide>().toEqualTypeOf<[Pointer<BigInt64Array>, Pointer<BigUint64Array>]>();
  });

  test("bytes may be clamped or not, and half-precision numbers are 16-bit patterns", () => {
    expectTypeOf<Parameters<"__global uchar *a">>().toEqualTypeOf<[Pointer<Uint8Array | Uint8ClampedArray>]>();
    expectTypeOf<Pointer<Uint16Array>>().toExtend<Parameters<"__global half *a">[0]>();
  });

  test("a pointer to vectors takes the array of their scalar", () => {
    expectTypeOf<Parameters<"__global float3 *x">>().toEqualTypeOf<OneFloatPointer>();
  });

  test("pointers to void, structures, unknown types and other pointers take any buffer", () => {
    type Found =
      Parameters<"__global void *a, __global struct Node *b, __constant Node *c, __global int * __global *d">;
    expectTypeOf<Found>().toEqualTypeOf<[Pointer, Pointer, Pointer, Pointer]>();
  });

  test("local pointers take a size of local memory, whatever they point to", () => {
    type Found = Parameters<"__local float *a, local Node *b, volatile __local void *c">;
    expectTypeOf<Found>().toEqualTypeOf<[LocalArgument, LocalArgument, LocalArgument]>();
  });

  test("pointers without an address space are untyped", () => {
    expectTypeOf<Parameters<"float *a, __generic int *b">>().toEqualTypeOf<[KernelArgumentLike, KernelArgumentLike]>();
  });
});

describe("other parameters", () => {
  test("every image type takes an image, with or without an access qualifier", () => {
    type Plain =
      Parameters<"image1d_t a, image1d_array_t b, image1d_buffer_t c, image2d_t d, image2d_array_t e, image3d_t f">;
    type I = ImageArgument;
    expectTypeOf<Plain>().toEqualTypeOf<[I, I, I, I, I, I]>();
    type Depth = Parameters<"image2d_depth_t a, image2d_array_msaa_depth_t b, image2d_msaa_t c">;
    expectTypeOf<Depth>().toEqualTypeOf<[I, I, I]>();
    type Access =
      Parameters<"__read_only image2d_t a, write_only image3d_t b, read_write image2d_t c, image2d_t __write_only d">;
    expectTypeOf<Access>().toEqualTypeOf<[I, I, I, I]>();
  });

  test("a sampler takes a sampler", () => {
    expectTypeOf<Parameters<"sampler_t a, const sampler_t b">>().toEqualTypeOf<[SamplerArgument, SamplerArgument]>();
  });

  test("pipes, device queues, structures and unknown types are untyped, but counted", () => {
    type Found = Parameters<"read_only pipe float4 a, queue_t b, struct Foo c, Foo d, pipe struct Foo e">;
    type U = KernelArgumentLike;
    expectTypeOf<Found>().toEqualTypeOf<[U, U, U, U, U]>();
  });

  test("attributes of a parameter are passed over", () => {
    type Found =
      Parameters<"__attribute__((nosvm)) __global float *a, __global int *b __attribute__((aligned(sizeof(int), 4)))">;
    expectTypeOf<Found>().toEqualTypeOf<[Pointer<Float32Array>, Pointer<Int32Array>]>();
  });

  test("an attribute that changes a type leaves that parameter untyped", () => {
    type Space = Parameters<"__attribute__((address_space(1))) float *a, int b">;
    expectTypeOf<Space>().toEqualTypeOf<[KernelArgumentLike, number]>();
    type Vector = Parameters<"float a __attribute__((vector_size(16))), int b">;
    expectTypeOf<Vector>().toEqualTypeOf<[KernelArgumentLike, number]>();
    expectTypeOf<Parameters<"__attribute__((mode(DI))) int a">>().toEqualTypeOf<[KernelArgumentLike]>();
  });

  test("a parameter may be named like a type that the language defines as a typedef", () => {
    type Source = "kernel void f(int float3, const int ulong, __global int *float2, float4 sampler_t, uint uint) {}";
    expectTypeOf<
      Parameters<"int float3, const int ulong, __global int *float2, float4 sampler_t, uint uint">
    >().toEqualTypeOf<[number, number, Pointer<Int32Array>, Parameters<"float4 a">[0], number]>();
    expectTypeOf<KernelParameterNames<Source, "f">>().toEqualTypeOf<
      ["float3", "ulong", "float2", "sampler_t", "uint"]
    >();
  });

  test("an empty list and void mean no arguments", () => {
    expectTypeOf<Parameters<"">>().toEqualTypeOf<[]>();
    expectTypeOf<Parameters<" void ">>().toEqualTypeOf<[]>();
    expectTypeOf<Parameters<" \n\t">>().toEqualTypeOf<[]>();
  });
});
