/** Sources in the styles of well-known benchmark suites; each cost its kernels their types once. */
import { expectTypeOf, test } from "vitest";
import type {
  ImageArgument,
  KernelArgumentLike,
  KernelArguments,
  KernelNames,
  KernelsOf,
  LocalArgument,
} from "@cl/core";
import type { Pointer } from "./fixtures.js";

type Floats = Pointer<Float32Array>;
type Ints = Pointer<Int32Array>;

test("a solver inside an include guard, with constants, helpers and a struct", () => {
  type Found = KernelsOf<`
    /* ======================
    //--date: 24/03/2011
    ====================== */
    #ifndef _SOLVER_
    #define _SOLVER_
    #define RATIO (1.4f)
    #define DIMENSIONS 3
    #define VARIABLES (DIMENSIONS + 2)
    typedef struct { float x; float y; float z; } VECTOR3;

    __kernel void set_memory(__global char *target, short value, int count) {
      const int i = get_global_id(0);
      if (i >= count) return;
      target[i] = value;
    }
    inline void velocity_of(float density, VECTOR3 momentum, VECTOR3 *velocity) {
      velocity->x = momentum.x / density;
    }
    __kernel void
    compute_flux(__global int *neighbours, __global float *normals,
                 __constant VECTOR3 *far_field, int count) {
    #pragma unroll
      for (int j = 0; j < 4; j++) normals[j] = neighbours[j] / RATIO;
    }
    #endif
  `>;
  expectTypeOf<Found>().toEqualTypeOf<{
    set_memory: [Pointer<Int8Array>, number, number];
    compute_flux: [Ints, Floats, Pointer, number];
  }>();
});

test("a filter that needs double precision, of either vendor", () => {
  type Found = KernelsOf<`
    #if defined(cl_amd_fp64) || defined(cl_khr_fp64)

    #if defined(cl_amd_fp64)
    #pragma OPENCL EXTENSION cl_amd_fp64 : enable
    #elif defined(cl_khr_fp64)
    #pragma OPENCL EXTENSION cl_khr_fp64 : enable
    #endif

    double sample(__read_only image2d_t pixels, int i) { return i >> 2; } // Don't interpolate

    __kernel void normalize_weights(__global double *weights, int count, __local double *part) {
      weights[0] = 1 / ((double)count);
    }
    __kernel void total(__global double *sums, int count) {}
    #endif
  `>;
  expectTypeOf<Found>().toEqualTypeOf<{
    normalize_weights: [Pointer<Float64Array>, number, LocalArgument];
    total: [Pointer<Float64Array>, number];
  }>();
});

test("a tree whose comments ask questions", () => {
  type Found = KernelsOf<`
    // double precision (switch between as needed??)
    #ifdef VENDOR
    #pragma OPENCL EXTENSION cl_amd_fp64 : enable
    #else
    #pragma OPENCL EXTENSION cl_khr_fp64 : enable
    #endif
    typedef struct record { int value; } record;
    // ???
    typedef struct node { int keys[ORDER + 1]; bool is_leaf; } node;
    __kernel void find(long height, __global node *nodes, __global long *current, __global int *keys) {}
  `>;
  expectTypeOf<Found>().toEqualTypeOf<{ find: [number | bigint, Pointer, Pointer<BigInt64Array>, Ints] }>();
});

test("a kernel that reads an image or a buffer, and begins in either branch", () => {
  type Found = KernelsOf<`
    #define POINTS 150
    #ifdef USE_IMAGE
    __kernel void gradient(int m, image2d_t grad_x, image2d_t grad_y, __constant float *angles, __global float *out) {
    #else
    __kernel void gradient(int m, __global float *grad_x, __global float *grad_y, __constant float *angles,
                           __global float *out, int width) {
    #endif
      float sum = 0.f;
    #ifdef USE_IMAGE
      const sampler_t sampler = CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;
    #endif
      out[0] = sum / (float)POINTS;
    }
    __kernel void dilate(__global float *out) {}
  `>;
  expectTypeOf<Found>().toEqualTypeOf<{
    gradient: [number, ImageArgument, ImageArgument, Floats, Floats] | [number, Floats, Floats, Floats, Floats, number];
    dilate: [Floats];
  }>();
});

test("a kernel of thirty commented parameters, whose types are in an included file", () => {
  type Source = `
    //======================== 200
    #include "./wall.h"
    __kernel void kernel_gpu_opencl( // structures
        params_common d_common,      // 0
        __global fp *d_frame, // 1	INPUT
        int d_frame_no,       // 2	INPUT
        __global int
            *d_rows, // 3	OUTPUT	common.points * common.frames
        // __local fp* d_temp,  // 4	OUTPUT
        __global fp *checksum) // 5	OUTPUT 100

    {
    #ifdef TEST_CHECKSUM
        int n = 0; // point number 0-???
    #endif
    }
  `;
  expectTypeOf<KernelArguments<Source, "kernel_gpu_opencl">>().toEqualTypeOf<
    [KernelArgumentLike, Pointer, number, Ints, Pointer]
  >();
  expectTypeOf<string>().toExtend<KernelNames<Source>>();
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
  expectTypeOf<Found>().toEqualTypeOf<{ boxes: [KernelArgumentLike, Pointer, Floats, number] }>();
});
