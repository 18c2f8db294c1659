import { expect, test } from "vitest";

import { Context, Program } from "../../src/index.js";

const context = Context.create();

test("a linked program has the types of its parts, and of the headers that they were compiled with", async () => {
  const put = new Program(context, '#include "real.h"\n__kernel void put(__global real *u, real v) { u[0] = v; }');
  await put.compile({ headers: { "real.h": new Program(context, "typedef float real;") } });
  const get = new Program(
    context,
    "typedef int real; typedef int whole; __kernel void get(__global whole *u) { u[0]++; }",
  );
  await get.compile();
  const linked = await Program.link(context, [put]);
  expect(linked.types.resolve("real")).toEqual({ kind: "builtin", name: "float" });
  const both = await Program.link(context, [put, get]);
  // One part declares float, the other int.
  expect(both.types.resolve("real")).toBeUndefined();
  expect(both.types.resolve("whole")).toEqual({ kind: "builtin", name: "int" });
});

test("a program without source has no types", async () => {
  const program = await new Program(
    context,
    "typedef float real; __kernel void put(__global real *u) { u[0] = 1; }",
  ).build();
  const [device] = context.devices;
  const binary = device && (await program.fetchBinaries()).get(device);
  const copy = await Program.fromBinaries(context, [[device as never, binary as Uint8Array]]).build();
  expect(copy.types.resolve("real")).toBeUndefined();
});
