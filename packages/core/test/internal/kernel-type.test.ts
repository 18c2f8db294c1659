import { type ScalarName, scalarTypes } from "@cl/base";
import { describe, expect, test } from "vitest";

import { KernelArgAddressQualifier } from "../../src/binding/constants.js";
import { declaredType, parameterType, unknownType } from "../../src/kernel/kernel-type.js";
import { wrongType } from "@cl/testing/error-like";

const { GLOBAL, LOCAL, CONSTANT, PRIVATE } = KernelArgAddressQualifier;

describe("a type name", () => {
  test.each(Object.keys(scalarTypes) as ScalarName[])(
    "is parsed as the scalar %s, with or without qualifiers",
    (name) => {
      for (const text of [name, `const ${name}`, `__private ${name}`, ` ${name} `]) {
        const scalar = scalarTypes[name];
        expect(parameterType(text)).toMatchObject({ kind: "scalar", scalar, bytes: scalar.bytes });
      }
    },
  );

  test.each([
    ["unsigned char", "uchar"],
    ["signed  char", "char"],
    ["short int", "short"],
    ["unsigned short int", "ushort"],
    ["unsigned", "uint"],
    ["signed int", "int"],
    ["unsigned int", "uint"],
    ["long int", "long"],
    ["unsigned long", "ulong"],
    ["long unsigned int", "ulong"],
    ["__private int short", "short"],
  ])("parses %s as %s", (text, name) => {
    expect(parameterType(text).scalar?.name).toBe(name);
  });

  test.each([2, 3, 4, 8, 16])("is parsed as a vector of %i, whose size is a power of two", (width) => {
    const type = parameterType(`const ushort${width}`);
    expect(type).toMatchObject({ kind: "vector", width, scalar: scalarTypes.ushort });
    expect(type.bytes).toBe(2 * (width === 3 ? 4 : width));
  });

  test("is parsed as a pointer with its address space", () => {
    expect(parameterType("__global float *")).toMatchObject({ kind: "global", scalar: scalarTypes.float });
    expect(parameterType("const global float4* restrict")).toMatchObject({ kind: "global", scalar: scalarTypes.float });
    expect(parameterType("__constant uchar *")).toMatchObject({ kind: "global", scalar: scalarTypes.uchar });
    expect(parameterType("local float *")).toMatchObject({ kind: "local" });
    expect(parameterType("float*")).toMatchObject({ kind: "global", scalar: scalarTypes.float });
  });

  test.each(["__global void *", "global Particle*", "__global struct particle *", "__global float **"])(
    "%s is an untyped pointer",
    (text) => {
      expect(parameterType(text).kind).toBe("global");
      expect(parameterType(text).scalar).toBeUndefined();
    },
  );

  test("takes its address space from the runtime's address qualifier", () => {
    expect(parameterType("float*", GLOBAL).kind).toBe("global");
    expect(parameterType("float*", CONSTANT).kind).toBe("global");
    expect(parameterType("float*", LOCAL).kind).toBe("local");
    expect(parameterType("float", PRIVATE).kind).toBe("scalar");
    expect(parameterType("image2d_t", GLOBAL).kind).toBe("image");
  });

  test("is parsed as an image, a sampler or a queue", () => {
    for (const name of ["image1d_t", "image1d_buffer_t", "image2d_array_t", "image2d_array_msaa_depth_t"]) {
      expect(parameterType(`__read_only ${name}`).kind).toBe("image");
    }
    expect(parameterType("sampler_t").kind).toBe("sampler");
    expect(parameterType("queue_t").kind).toBe("queue");
  });

  test("is parsed as a struct otherwise, also if it equals a property of `Object.prototype`", () => {
    for (const name of ["struct particle", "struct image2d_t", "float (*)(int)", "float5", "toString", "__proto__"]) {
      expect(parameterType(name)).toEqual({ kind: "struct", text: name, bytes: 0 });
    }
  });
});

describe("a declared type", () => {
  test("is used if the runtime reports nothing", () => {
    expect(declaredType("float", unknownType, "argTypes[0]").scalar?.name).toBe("float");
    expect(declaredType({ bytes: 8 }, unknownType, "argTypes[0]")).toEqual({
      kind: "struct",
      text: "struct of 8 bytes",
      bytes: 8,
    });
    expect(declaredType(null, unknownType, "argTypes[0]")).toBe(unknownType);
  });

  test.each([
    ["float", "int"],
    ["int", "float"],
    ["uint", "int"],
    ["float4", "float"],
    ["float4", "int4"],
    ["float4", "float3"],
    ["float", "__global float *"],
    ["__local float *", "__global float *"],
    ["sampler_t", "image2d_t"],
  ])("%s is rejected if the runtime reports %s, although their sizes may be equal", (declared, told) => {
    expect(() => declaredType(declared, parameterType(told), "argTypes[1]")).toThrow(wrongType("argTypes[1]"));
  });

  test("is accepted for a synonym of the same type, and for a pointer to any type", () => {
    expect(() => declaredType("unsigned int", parameterType("uint"), "a")).not.toThrow();
    expect(() => declaredType("__global int *", parameterType("float*", GLOBAL), "a")).not.toThrow();
    expect(() => declaredType({ bytes: 12 }, parameterType("Particle"), "a")).not.toThrow();
    // A typedef in the source hides its underlying type.
    expect(() => declaredType("float", parameterType("real_t"), "a")).not.toThrow();
  });
});
