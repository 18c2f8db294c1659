import { type ParameterDeclaration, readParameter, splitParameters } from "@cl/base";
import { describe, expect, test } from "vitest";

function formatted(text: string): string | undefined {
  const read = readParameter(text);
  return read && words(read).join(" ");
}

function words({ specifiers, tag, type, pointers, isRestrict, name, isArray }: ParameterDeclaration): string[] {
  const all: (string | undefined)[] = [...specifiers].sort();
  all.push(tag, type, "*".repeat(pointers), isRestrict ? "restrict" : "", name, isArray ? "[]" : "");
  return all.filter((word): word is string => word !== undefined && word !== "");
}

describe("readParameter", () => {
  test.each([
    ["float x", "float x"],
    ["unsigned x", "uint x"],
    ["unsigned int x", "uint x"],
    ["unsigned long int x", "ulong x"],
    ["long unsigned x", "ulong x"],
    ["int long x", "long x"],
    ["short signed int x", "short x"],
    ["signed char x", "char x"],
    ["__signed__ char x", "char x"],
    ["_Bool x", "bool x"],
    ["size_t x", "size_t x"],
    ["real x", "real x"],
    ["struct pair x", "struct pair x"],
    ["enum mode x", "enum mode x"],
    ["float const x", "const float x"],
    ["__global float *x", "global float * x"],
    ["float const global *__restrict__ x", "const global float * restrict x"],
    ["__const __local volatile int *x", "const local volatile int * x"],
    ["float *const restrict x", "float * restrict x"],
    ["float *volatile x", "float * x"],
    ["__generic float *x", "generic float * x"],
    ["__global __local float *x", "global local float * x"],
    ["restrict float *x", "restrict float * x"],
    ["float **x", "float ** x"],
    ["float *const *x", "float ** x"],
    ["float x[]", "float x []"],
    ["float x[N + 1]", "float x []"],
    ["__read_only image2d_array_t x", "read_only image2d_array_t x"],
    ["read_write image1d_buffer_t x", "read_write image1d_buffer_t x"],
    ["sampler_t x", "sampler_t x"],
    ["read_only pipe int x", "pipe read_only int x"],
    ["__write_only __pipe float4 x", "pipe write_only float4 x"],
    ["float /* of what? */ * x // a line\n", "float * x"],
    ["flo\\\nat \\\n x", "float x"],
    ["float x __attribute__((unused))", "float x"],
    ["__attribute__((unused)) float x", "float x"],
    ["float int", "float int"],
  ])("reads %j", (text, read) => {
    expect(formatted(text)).toBe(read);
  });

  test.each([
    ["float", "float"],
    ["unsigned int", "uint"],
    ["float*", "float *"],
    ["__global const float4 * restrict", "const global float4 * restrict"],
    ["struct particle*", "struct particle *"],
    ["void", "void"],
    ["pipe int", "pipe int"],
    ["float[]", "float []"],
    ["__proto__", "__proto__"],
  ])("reads %j without a name", (text, read) => {
    expect(formatted(text)).toBe(read);
  });

  test.each([
    ["no type", ["", "*x", "const", "const *x", "struct *x", "...", "(unknown type)"]],
    ["several names", ["float x y", "float *x y", "float *unsigned x", "float * global x", "float 2x"]],
    ["more than a declaration", ["float &x", "float a = 1", "float a, float b", "float a,", "float x : 3"]],
    ["functions and arrays of arrays", ["void (*f)(int)", "float f(int)", "float x[2][3]"]],
    ["invalid types", ["long long x", "unsigned float x", "char int x", "signed unsigned x", "struct { int a; } x"]],
    ["attributes that matter", ["float x __attribute__((aligned(16)))"]],
  ])("returns undefined for %s", (_, texts) => {
    expect(texts.filter((text) => readParameter(text) !== undefined)).toEqual([]);
  });
});

test.each([
  ["", []],
  [" /* nothing */ // at all", []],
  ["float a", ["float a"]],
  [" float a , const float *x ", ["float a", "const float *x"]],
  ["float a, // scale, in metres\n __global float4 *x /* a, b */", ["float a", "__global float4 *x"]],
  ["float a,", ["float a", ""]],
  ["float a __attribute__((x(1, 2))), int b", ["float a __attribute__((x(1, 2)))", "int b"]],
])("splitParameters splits %j at its commas", (list, parts) => {
  expect(splitParameters(list)).toEqual(parts);
});
