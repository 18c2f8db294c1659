import { describe, expect, test } from "vitest";

import { type SourceType, SourceTypes } from "@cl/base";

/** Resolves a name in a source to a built-in type's name, a size or a kind. */
function resolve(source: string, name: string, options: readonly string[] = [], headers: Record<string, string> = {}) {
  const types = new SourceTypes(source, {
    options,
    header: (name) => headers[name],
    isPredefined: (macro) => (macro === "cl_khr_fp64" ? true : macro === "cl_khr_fp16" ? false : undefined),
  });
  return describeType(types.resolve(name));
}

function describeType(type: SourceType | undefined): string | number | undefined {
  if (type?.kind === "builtin") return type.name;
  return type?.kind === "record" ? (type.bytes ?? "record") : type?.kind;
}

describe("a typedef", () => {
  test.each([
    ["typedef float real;", "float"],
    ["typedef unsigned long int real;", "ulong"],
    ["typedef unsigned real;", "uint"],
    ["typedef float4 real;", "float4"],
    ["typedef float real __attribute__((ext_vector_type(4)));", "float4"],
    ["typedef __attribute__((ext_vector_type(2))) double real;", "double2"],
    ["typedef image2d_array_t real;", "image2d_array_t"],
    ["typedef read_only image2d_t real;", "image2d_t"],
    ["typedef sampler_t real;", "sampler_t"],
    ["typedef enum { A, B } real;", "uint"],
    ["typedef enum { A = -1, B } real;", "int"],
    ["typedef enum tag { A = 1 << 2, B = A | 1, C = 0xffffffff } real;", "uint"],
    ["enum tag { A }; typedef enum tag real;", "uint"],
    ["typedef int whole, real, *pointer;", "int"],
    ["typedef float a; typedef a b; typedef b real;", "float"],
    ["#define REAL float\ntypedef REAL real;", "float"],
    ["#define REAL(n) float##n\ntypedef REAL(4) real;", "float4"],
    ["#define A B\n#define B float\ntypedef A real;", "float"],
    ["#define DECLARE(type, name) typedef type name;\nDECLARE(float, real)\n__kernel void f(real x) { }", "float"],
    ["inline int f(int a) { return a; } typedef float real;", "float"],
    ["void f() { typedef int real; } typedef float real;", "float"],
    ["__constant int t[2][2] = { { 1, 2 }, { 3, 4 } }; typedef float real;", "float"],
    ["// typedef int real; ??/\n/* ' */ typedef float real; __constant char c = '\\\\', d = '\"';", "float"],
    ["typedef float\\\n  real;", "float"],
    ["typedef float float3_; typedef int ulong_, float5; typedef float real;", "float"],
    ["#error don't\ntypedef float real;", "float"],
  ])("%s resolves to a built-in type", (source, type) => {
    expect(resolve(source, "real")).toBe(type);
  });

  test.each([
    ["an unknown type", ["int x;", "typedef float reals;", "typedef vec real;", "typedef long long real;"]],
    ["a cycle", ["typedef real real;", "typedef a real; typedef real a;"]],
    ["a type with an attribute that matters", ["typedef int real __attribute__((mode(DI)));"]],
    ["an array or function", ["typedef float real[4];", "typedef float real(int);", "typedef float (*real)(int);"]],
    ["an enum of 64 bits", ["typedef enum { A = 0x1ffffffff } real;"]],
    [
      "an enum of unknown values or size",
      ["typedef enum { A = sizeof(int) } real;", "typedef enum __attribute__((packed)) { A } real;"],
    ],
    ["text that is not closed", ["/* typedef float real;", "#define F(x) x\ntypedef F(float real;"]],
  ])("of %s is not resolved", (_, sources) => {
    for (const source of sources) expect(resolve(source, "real"), source).toBeUndefined();
  });

  test("with a star is a pointer", () => {
    expect(resolve("typedef __global float *real;", "real")).toBe("pointer");
  });

  test("cannot redefine a built-in type, but may have a similar name", () => {
    expect(resolve("typedef unsigned int uint;", "uint")).toBe("uint");
    expect(resolve("typedef struct { int float3; int ulong; } pair; typedef pair real;", "real")).toBe(8);
  });
});

describe("a condition", () => {
  const both = "typedef double real;\n#else\ntypedef float real;\n#endif";

  test.each([
    ["#ifdef USE_DOUBLE", [], "float"],
    ["#ifdef USE_DOUBLE", ["-DUSE_DOUBLE"], "double"],
    ["#ifndef USE_FLOAT", ["-DUSE_FLOAT=1"], "float"],
    ["#if defined(USE_DOUBLE)", ["-DUSE_DOUBLE"], "double"],
    ["#if PRECISION == 64", ["-DPRECISION=64"], "double"],
    ["#if PRECISION == 64", ["-DPRECISION=32"], "float"],
    ["#if PRECISION > 32 && (PRECISION & 1) == 0", ["-DPRECISION=64"], "double"],
    ["#if defined USE_DOUBLE && !defined(cl_khr_fp64)", ["-DUSE_DOUBLE"], "float"],
    ["#ifdef cl_khr_fp64", [], "double"],
    ["#if 0", [], "float"],
    ["#if 1 // yes", [], "double"],
    ["#define WIDE(x) (x > 1)\n#if WIDE(2)", [], "double"],
    ["#define USE_DOUBLE\n#undef USE_DOUBLE\n#ifdef USE_DOUBLE", [], "float"],
    ["#if 0\ntypedef int real;\n#elif 1", [], "double"],
  ])("%s with %j takes one branch", (condition, options, type) => {
    expect(resolve(`${condition}\n${both}`, "real", options)).toBe(type);
  });

  test.each([
    ["a vendor's macro", "#ifdef __NV_CL_C_VERSION"],
    ["a version", "#if __OPENCL_C_VERSION__ >= 200"],
    ["an unknown extension", "#ifdef cl_vendor_thing"],
    ["a macro that is uncertain itself", "#ifdef __VENDOR\n#define D\n#endif\n#ifdef D"],
    ["a header", '#include "unknown.h"\n#ifdef USE_DOUBLE'],
    ["nonsense", "#if (1"],
    ["a division by zero", "#if 1 / 0"],
  ])("on %s leaves types unknown that differ between its branches", (_, condition) => {
    expect(resolve(`${condition}\n${both}\ntypedef int whole;`, "real")).toBeUndefined();
    expect(resolve(`${condition}\n${both}\ntypedef int whole;`, "whole")).toBe("int");
  });

  test("that cannot be evaluated keeps types that are equal in its branches", () => {
    const source =
      "#ifdef __VENDOR\ntypedef float real;\n#else\ntypedef float real;\n#endif\n#ifdef __OTHER\ntypedef int whole;\n#endif";
    expect(resolve(source, "real")).toBe("float");
    expect(resolve(source, "whole")).toBe("int");
    expect(resolve(`#include "unknown.h"\n${source}`, "whole")).toBeUndefined();
  });

  test("inside a declaration leaves it unknown but does not affect what follows", () => {
    const source = `typedef
#ifdef __VENDOR
double
#else
float
#endif
real;
#ifdef __VENDOR
__kernel void f(double x) {
#else
__kernel void f(float x) {
#endif
  if (x) { }
}
typedef int whole;`;
    expect(resolve(source, "real")).toBeUndefined();
    expect(resolve(source, "whole")).toBe("int");
  });

  test("that cannot be evaluated leaves macros unknown that its branches define differently", () => {
    const source = (second: string): string =>
      `#define KEPT float\n#ifdef __VENDOR\n#define WIDTH 4\n#else\n${second}\n#endif\n#if WIDTH == 4\ntypedef KEPT real;\n#else\ntypedef int real;\n#endif`;
    expect(resolve(source("#define WIDTH 4"), "real")).toBe("float");
    expect(resolve(source("#define WIDTH 2"), "real")).toBeUndefined();
    expect(resolve(source("#ifdef __OTHER\n#define WIDTH 4\n#else\n#define WIDTH 4\n#endif"), "real")).toBe("float");
    expect(resolve(source(""), "real")).toBeUndefined();
    expect(resolve(source("#undef KEPT\n#define WIDTH 4"), "real")).toBeUndefined();
  });

  test("around a file is an include guard", () => {
    expect(resolve("#ifndef FILE_CL\n#define FILE_CL\ntypedef float real;\n#endif", "real")).toBe("float");
  });
});

describe("a header", () => {
  test("is read if its text is known", () => {
    const headers = { "types.h": '#include "base.h"\ntypedef base real;', "base.h": "typedef float base;" };
    expect(resolve('#include "types.h"\n', "real", [], headers)).toBe("float");
    expect(resolve("#include <types.h>\n", "real", [], headers)).toBe("float");
  });

  test("that includes itself terminates", () => {
    expect(resolve('#include "a.h"\ntypedef float real;', "real", [], { "a.h": '#include "a.h"\n' })).toBe("float");
  });
});

describe("a struct", () => {
  test.each([
    ["typedef struct { float a, b; } S;", 8],
    ["typedef struct { char a; int b; char c; } S;", 12],
    ["typedef struct { char a; double b; } S;", 16],
    ["typedef struct { float3 a; float b; } S;", 32],
    ["typedef struct { char a; float2 b[3]; } S;", 32],
    ["typedef struct { int a[2][3]; } S;", 24],
    ["#define N 3\ntypedef struct { int a[N + 1]; } S;", 16],
    ["typedef struct __attribute__((packed)) { char a; int b; } S;", 5],
    ["typedef struct { char a; int b; } __attribute__((packed)) S;", 5],
    ["typedef union { int a; double b; } S;", 8],
    ["typedef struct { struct { char a; short b; } c; char d; } S;", 6],
    ["struct T { char a; }; typedef struct { struct T t[3]; int b; } S;", 8],
    ["typedef float real; typedef enum { A } mode; typedef struct { real a; mode b; } S;", 8],
    ["typedef struct { bool a; int b; } S;", 8],
    ["typedef struct T { int a; } T; typedef T S;", 4],
  ])("%s has the size that C defines", (source, bytes) => {
    expect(resolve(source, "S")).toBe(bytes);
  });

  test.each([
    "typedef struct { __global int *a; } S;",
    "typedef struct { size_t a; } S;",
    "typedef struct { int a : 3; } S;",
    "typedef struct { int a; } __attribute__((aligned(16))) S;",
    "typedef struct { int a __attribute__((aligned(16))); } S;",
    "#pragma pack(1)\ntypedef struct { char a; int b; } S;",
    "typedef struct { int a[N]; } S;",
    "typedef struct { other a; } S;",
    "typedef struct { struct S2 s; } S;",
  ])("%s has no known size", (source) => {
    expect(["record", undefined]).toContain(resolve(source, "S"));
  });

  test("is found by its tag", () => {
    expect(resolve("struct pair { int a, b; };", "struct pair")).toBe(8);
    expect(resolve("enum mode { A }; void f(enum mode m) { }", "enum mode")).toBe("uint");
  });

  test("with members in a condition has no known size", () => {
    expect(resolve("typedef struct { int a;\n#ifdef __VENDOR\nint b;\n#endif\n} S;", "S")).toBeUndefined();
  });
});

describe("resolving terminates for hostile text:", () => {
  test.each([
    ["brackets", "(".repeat(20_000)],
    ["braces", `${"{".repeat(20_000)} typedef float real;`],
    ["nested conditions", `${"#if __A\n".repeat(2000)}typedef int real;\n`],
    ["a deep expression", `#if ${"(".repeat(20_000)}1\n#endif`],
    ["unary operators", `#if ${"!".repeat(20_000)}1\n#endif`],
    [
      "macros that double",
      Array.from({ length: 60 }, (_, i) => `#define M${i} M${i + 1} M${i + 1}`).join("\n") + "\ntypedef M0 real;",
    ],
    [
      "structs that double",
      `typedef int T0;${Array.from({ length: 60 }, (_, i) => `typedef struct { T${i} a, b; } T${i + 1};`).join("")} typedef T60 real;`,
    ],
    ["nested structs", `typedef ${"struct { ".repeat(5000)} int a; ${"} x; ".repeat(4999)} } real;`],
    ["chains", Array.from({ length: 5000 }, (_, i) => `typedef t${i + 1} t${i};`).join("\n") + "typedef t0 real;"],
    ["stars", `typedef float ${"*".repeat(20_000)}real;`],
    ["an enum without a name", "enum << x { typedef float real;"],
    [
      "conditions in a table",
      `int t[] = { ${"1,\n#ifdef __A\n2,\n#else\n3,\n#endif\n".repeat(5000)} }; typedef float real;`,
    ],
    ["macros in conditions", Array.from({ length: 4000 }, (_, i) => `#define M${i}\n#ifdef __A\n#endif\n`).join("")],
    ["strings", `${'"'.repeat(20_001)} typedef float real;`],
  ])("%s", (_, source) => {
    expect(() => resolve(source, "real")).not.toThrow();
  });
});
