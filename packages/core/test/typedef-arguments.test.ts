import { describe, expect, test } from "vitest";
import {
  CommandQueue,
  DeviceBuffer,
  Image,
  ImageFormat,
  type Kernel,
  LaunchList,
  NotSupportedError,
  Program,
  Sampler,
  TypedValue,
} from "@cl/core";
import { outOfRange, wrongType } from "@cl/testing/error-like";

import { context, device, floats, ints, kernelOf, queue, read } from "./support/kernels.js";

const size = { global: 1 };

const isPocl = context.platform.name === "Portable Computing Language";
/** The error for wrong values, which PoCL also throws for right ones. */
const refusal = expect.objectContaining({
  code: expect.stringMatching(/^ERR_(INVALID_ARG_TYPE|CL_NOT_SUPPORTED)$/) as string,
}) as Error;
const format = new ImageFormat("R", "FLOAT");
const real =
  "typedef float real;\n__kernel void decay(__global real *u, real dt, int n) { u[get_global_id(0)] *= n - dt; }";

describe("an argument whose type is a typedef of a scalar", () => {
  test("accepts numbers in each way of launching", () => {
    const kernel = kernelOf(real);
    const u = floats(1024);
    expect(kernel.argTypes).toEqual(["float*", "float", "int"]);
    kernel.launch(queue, size, u, 0.5, 1);
    kernel.setArgs(u, 0.5, 1).launchWithSetArgs(queue, size);
    kernel.clone().launchWithSetArgs(queue, size);
    const bound = kernel.bind(size, u, 0.5, 1);
    bound.launch(queue);
    bound.setArg("dt", 0.75).launch(queue);
    bound.launchRows(queue, ["dt"], Float64Array.of(0.5));
    new LaunchList(context).push(bound, { scalars: { dt: 0 } }).launch(queue, [0.5]);
    expect(read(u)).toEqual([1024 * 0.5 ** 6 * 0.25]);
  });

  test("rejects bytes of another size, and values of other types", () => {
    const kernel = kernelOf(real);
    const u = floats(1);
    for (const value of [Float64Array.of(0.5), new Uint8Array(1), "1", 1n, null]) {
      expect(() => kernel.launch(queue, size, u, value, 1)).toThrow(wrongType("argument 1"));
      expect(() => kernel.setArg("dt", value)).toThrow(wrongType("argument 1"));
      expect(() => kernel.bind(size, u, value, 1)).toThrow(wrongType("argument 1"));
    }
    expect(() => kernel.setArg("dt", 1e39)).toThrow(outOfRange("argument 1"));
    expect(() => kernel.launch(queue, size, u, new TypedValue("float64", 0.5), 1)).toThrow(TypeError);
    kernel.launch(queue, size, u, new TypedValue("float32", 0.5), 1);
    expect(read(u)).toEqual([0.5]);
  });

  test("rejects a buffer of other elements", () => {
    expect(() => kernelOf(real).launch(queue, size, ints(1), 0.5, 1)).toThrow(wrongType("argument 0"));
  });

  test("is resolved through chains, macros and build options", { tags: "ci" }, async () => {
    const source = `#ifndef PRECISION
      #define PRECISION 32
      #endif
      #define SINGLE float
      #if PRECISION == 64
      typedef double base;
      #else
      typedef SINGLE base;
      #endif
      typedef base real;
      __kernel void put(__global real *u, real v) { u[0] = v; }`;
    const single = (await new Program(context, source).build()).kernel("put") as unknown as Kernel;
    const wide = (await new Program(context, source).build({ options: "-D PRECISION=64" })).kernel(
      "put",
    ) as unknown as Kernel;
    expect(single.argTypes).toEqual(["float*", "float"]);
    expect(wide.argTypes).toEqual(["double*", "double"]);
    const doubles = DeviceBuffer.from(context, new Float64Array(1));
    wide.launch(queue, size, doubles, 1 / 3);
    expect([...queue.readSync(doubles)]).toEqual([1 / 3]);
    expect(() => single.launch(queue, size, doubles, 1)).toThrow(TypeError);
  });

  test("is resolved again when the program is rebuilt with other options", { tags: "ci" }, async () => {
    const program = new Program(
      context,
      `#ifdef WHOLE
       typedef int real;
       #else
       typedef float real;
       #endif
       __kernel void put(__global float *u, real v) { u[0] = v; }`,
    ) as Program;
    await program.build();
    expect(program.kernel("put").argTypes[1]).toBe("float");
    program.kernel("put").release();
    await program.build({ options: ["-DWHOLE"] });
    expect(program.kernel("put").argTypes[1]).toBe("int");
  });
});

describe("an argument whose type is a typedef", () => {
  test("of a vector accepts its components", () => {
    const kernel = kernelOf(`typedef float4 vec; typedef int whole3 __attribute__((ext_vector_type(3)));
      __kernel void sum(__global float *u, vec a, whole3 b, __global vec *c) { u[0] = a.x + a.w + b.z + c->y; }`);
    expect(kernel.argTypes).toEqual(["float*", "float4", "int3", "float4*"]);
    const u = floats(0);
    kernel.launch(queue, size, u, [1, 2, 3, 4], Int32Array.of(5, 6, 7), floats(8, 9, 10, 11));
    expect(read(u)).toEqual([21]);
    expect(() => kernel.launch(queue, size, u, [1, 2], [5, 6, 7], null)).toThrow(wrongType());
    expect(() => kernel.launch(queue, size, u, new Float64Array(4), [5, 6, 7], null)).toThrow(wrongType());
  });

  test("of an enum accepts integers", () => {
    const kernel = kernelOf(`typedef enum { ADD, SUB } mode; enum sign { MINUS = -1, PLUS = 1 };
      __kernel void put(__global int *u, mode m, enum sign s) { u[0] = (m == SUB ? 10 : 20) * (int)s; }`);
    const u = ints(0);
    kernel.launch(queue, size, u, 1, -1);
    expect(read(u)).toEqual([-10]);
    expect(() => kernel.launch(queue, size, u, 0.5, 1)).toThrow(RangeError);
    expect(() => kernel.launch(queue, size, u, 0, new Uint8Array(8))).toThrow(TypeError);
  });

  test("of an image or a sampler accepts one if the runtime does", { tags: "ci" }, () => {
    const body = "{ u[0] = read_imagef(p, s, (int2)(1, 0)).x; }";
    const [images, samplers] = [
      `typedef image2d_t picture; __kernel void pick(__global float *u, picture p, sampler_t s) ${body}`,
      `typedef sampler_t how; __kernel void pick(__global float *u, read_only image2d_t p, how s) ${body}`,
    ].map((source) => kernelOf(source)) as [Kernel, Kernel];
    const host = Float32Array.of(1, 2, 3, 4);
    const image = new Image(context, { format, shape: [2, 2], host, hostPointer: "copy" });
    const sampler = new Sampler(context, { normalizedCoordinates: false });
    const u = floats(0);
    for (const kernel of [images, samplers]) {
      expect(kernel.argTypes).toEqual(["float*", "image2d_t", "sampler_t"]);
      // PoCL would read garbage, or end the process.
      const launch = (): void => kernel.launch(queue, size, u, image, sampler);
      if (isPocl) expect(launch).toThrow(NotSupportedError);
      else launch();
      expect(() => kernel.setArg(1, u)).toThrow(refusal);
      expect(() => kernel.setArg(2, new Uint8Array(8))).toThrow(refusal);
    }
    if (!isPocl) expect(read(u)).toEqual([2]);
  });

  test("of a struct accepts exactly its bytes", () => {
    const kernel = kernelOf(`typedef float real; typedef struct { real a; char b; double c; } mixed;
      struct tagged { int x, y; };
      __kernel void put(__global float *u, mixed m, struct tagged t) { u[0] = m.a + m.b + m.c + t.x + t.y; }`);
    const u = floats(0);
    const bytes = new DataView(new ArrayBuffer(16));
    bytes.setFloat32(0, 1, true);
    bytes.setInt8(4, 2);
    bytes.setFloat64(8, 3, true);
    kernel.launch(queue, size, u, bytes, Int32Array.of(4, 5));
    expect(read(u)).toEqual([15]);
    for (const wrong of [new Uint8Array(8), new Uint8Array(15), new Uint8Array(24)]) {
      expect(() => kernel.launch(queue, size, u, wrong, Int32Array.of(4, 5))).toThrow(wrongType());
    }
    expect(() => kernel.setArg("t", Int32Array.of(4))).toThrow(TypeError);
    kernel.setArg("u", u).setArg("m", bytes).setArg("t", Int32Array.of(5, 6)).clone().launchWithSetArgs(queue, size);
    expect(read(u)).toEqual([17]);
  });
});

describe("parameters with the name of a type", () => {
  test("have their declared types", () => {
    const kernel = kernelOf(`typedef float real;
      __kernel void sum(int float3, int ulong, __global int *float2, real image2d) {
        float2[0] = float3 + ulong + image2d;
      }`);
    expect(kernel.argNames).toEqual(["float3", "ulong", "float2", "image2d"]);
    expect(kernel.argTypes).toEqual(["int", "int", "int*", "float"]);
    const out = ints(0);
    kernel.launch(queue, size, 1, 2, out, 3);
    kernel.bind(size, 1, 2, out, 3).setArg("float3", 10).launch(queue);
    expect(read(out)).toEqual([15]);
  });
});

describe("a type that the source does not define", () => {
  const hidden = `#ifdef __VENDOR_MACRO__
    typedef double real;
    #else
    typedef float real;
    #endif
    __kernel void put(__global float *u, real v) { u[0] = v; }`;

  test("accepts bytes only, and the error for a number mentions argTypes", () => {
    const kernel = kernelOf(hidden);
    expect(kernel.argTypes[1]).toBe("real");
    expect(() => kernel.launch(queue, size, floats(0), 0.5)).toThrow(wrongType("argument 1"));
  });

  test("can be declared, and reset with null", () => {
    const kernel = kernelOf(hidden);
    kernel.argTypes = [null, "float"];
    const u = floats(0);
    kernel.launch(queue, size, u, 0.5);
    expect(read(u)).toEqual([0.5]);
    kernel.argTypes = [null, null];
    expect(() => kernel.launch(queue, size, u, 0.5)).toThrow(TypeError);
  });

  test("can be declared as a sampler or, in global memory, as an image", { tags: "ci" }, () => {
    const kernel = kernelOf(`#ifdef __VENDOR_MACRO__
      typedef int how;
      typedef image2d_array_t picture;
      #else
      typedef sampler_t how;
      typedef image2d_t picture;
      #endif
      __kernel void see(__global float *u, picture p, how s) { u[0] = get_image_width(p); }`);
    for (const declare of [false, true]) {
      if (declare) kernel.argTypes = [null, "read_only image2d_t", "sampler_t"];
      const image = new Image(context, { format, shape: [3, 2] });
      if (isPocl) {
        expect(() => kernel.setArg("p", image)).toThrow(NotSupportedError);
        if (declare) expect(() => kernel.setArg("s", new Sampler(context))).toThrow(NotSupportedError);
      } else {
        kernel.setArg("p", image);
        if (declare) kernel.setArg("s", new Sampler(context));
      }
      expect(() => kernel.setArg("p", new Uint8Array(8))).toThrow(refusal);
      expect(() => kernel.setArg("s", 1)).toThrow(refusal);
    }
    for (const [image, sampler] of [
      ["float", null],
      ["pipe int", null],
      ["sampler_t", null],
      [null, "image2d_t"],
      [null, "__global int *"],
    ] as const) {
      expect(() => (kernel.argTypes = [null, image, sampler])).toThrow(TypeError);
    }
  });
});

describe("a declared type", () => {
  test("can be any type if the program has no argument information", { tags: "ci" }, async () => {
    const built = await new Program(
      context,
      "__kernel void pick(__global float *u, read_only image2d_t p) { u[0] = get_image_width(p); }",
    ).build({ cache: false });
    const binary = (await built.fetchBinaries()).get(device) as Uint8Array;
    const kernel = (await Program.fromBinaries(context, [[device, binary]]).build()).kernel("pick") as Kernel;
    kernel.argTypes = ["float*", "image2d_t"];
    const image = new Image(context, { format, shape: [3, 2] });
    const u = floats(0);
    kernel.launch(queue, size, u, image);
    kernel.setArgs(u, image).clone().launchWithSetArgs(new CommandQueue(context), size);
    expect(read(u)).toEqual([3]);
  });
});
