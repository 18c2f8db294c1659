import { describe, expect, test } from "vitest";
import { type Kernel, LocalMemory, Program } from "@cl/core";

import { context, device, floats, kernelOf, queue, read } from "./support/kernels.js";

const size = { global: 1 };

const structs = `typedef struct { float a, b; } pair;
  __kernel void sum(__global float *out, pair p) { out[0] = p.a + p.b; }`;
const pair = (a: number, b: number): Float32Array => Float32Array.of(a, b);

/** Returns the first kernel of a program from binaries, which has no argument information on PoCL. */
async function fromBinary(source: string): Promise<Kernel> {
  const built = await new Program(context, source).build({ cache: false });
  const binary = (await built.fetchBinaries()).get(device) as Uint8Array;
  return (await Program.fromBinaries(context, [[device, binary]]).build()).kernels()[0] as Kernel;
}

describe("a clone of a kernel with a struct argument", () => {
  test("has arguments that are independent of the original", () => {
    const out = floats(0);
    const kernel = kernelOf(structs).setArgs(out, pair(2, 3));
    kernel.launch(queue, size, out, pair(10, 20));
    const clone = kernel.clone();
    clone.launch(queue, size, out, pair(4, 5));
    expect(read(out)).toEqual([9]);
    clone.setArg("p", pair(6, 7)).setArg("out", out).launchWithSetArgs(queue, size);
    expect(read(out)).toEqual([13]);
    kernel.launchWithSetArgs(queue, size);
    expect(read(out)).toEqual([5]);
  });

  test("can be cloned and bound again", () => {
    const out = floats(0);
    const kernel = kernelOf(structs);
    kernel.launch(queue, size, out, pair(1, 1));
    const clone = kernel.clone().clone();
    clone.launch(queue, size, out, pair(2, 3));
    expect(read(out)).toEqual([5]);
    const bound = clone.bind(size, out, pair(3, 4));
    bound.launch(queue);
    bound.setArg("p", pair(5, 6)).launch(queue);
    expect(read(out)).toEqual([11]);
  });
});

describe("a clone of a kernel with declared types", () => {
  const source = "typedef float real; __kernel void scale(__global real *u, real by) { u[0] *= by; }";

  test("has the declared types and accepts numbers for them", () => {
    const kernel = kernelOf(source);
    kernel.argTypes = ["float*", "float"];
    const u = floats(8);
    const clone = kernel.clone();
    expect(clone.argTypes).toEqual(["float*", "float"]);
    clone.launch(queue, size, u, 0.5);
    clone.setArgs(u, 0.25).clone().launchWithSetArgs(queue, size);
    expect(read(u)).toEqual([1]);
  });

  test("has the runtime's types if null is declared", () => {
    const kernel = kernelOf("__kernel void put(__global int *x, int value) { x[0] = value; }");
    kernel.argTypes = ["__global uint *", null];
    const clone = kernel.clone();
    clone.argTypes = [null, null];
    expect(clone.argTypes).toEqual(["int*", "int"]);
    expect(clone.argNames).toEqual(["x", "value"]);
  });

  test("keeps declared names and struct sizes", () => {
    const kernel = kernelOf(structs);
    kernel.argNames = ["target", "both"];
    kernel.argTypes = [null, { bytes: 8 }];
    const out = floats(0);
    const clone = kernel.clone();
    expect(clone.argNames).toEqual(["target", "both"]);
    clone.setArg("target", out).setArg("both", pair(20, 30)).launchWithSetArgs(queue, size);
    expect(read(out)).toEqual([50]);
    expect(() => clone.setArg("both", new Uint8Array(4))).toThrow(TypeError);
  });

  test("works for a program from binaries without argument information", { tags: "ci" }, async () => {
    const kernel = await fromBinary("__kernel void put(__global float *x, float v, __local float *t) { x[0] = v; }");
    kernel.argTypes = ["float*", "float", "__local float*"];
    const x = floats(0);
    kernel.setArgs(x, 7, new LocalMemory(4));
    kernel.clone().launchWithSetArgs(queue, size);
    expect(read(x)).toEqual([7]);
    kernel.clone().bind(size, x, 9, new LocalMemory(8)).launch(queue);
    expect(read(x)).toEqual([9]);
  });
});
