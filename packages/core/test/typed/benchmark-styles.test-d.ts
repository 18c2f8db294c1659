/** Sources in the styles of well-known benchmark suites; each cost its kernels their types once. */
import { expectTypeOf, test } from "vitest";
import type { KernelArgumentLike, KernelArguments, KernelNames, KernelsOf } from "@cl/core";
import type { Pointer } from "./fixtures.js";

type Floats = Pointer<Float32Array>;
type Ints = Pointer<Int32Array>;

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
