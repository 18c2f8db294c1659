import { DeviceBuffer } from "@cl/core";
import { ElementwiseLauncher, type ElementwiseOptions, ListLauncher } from "@cl/launcher";
import { describe, expect, test } from "vitest";

import { context, floats, ints, outOfOrder, queue, read } from "./support/device.js";
import { outOfRange, wrongType, wrongValue } from "@cl/testing/error-like";

const make = (options: ElementwiseOptions): ElementwiseLauncher =>
  ElementwiseLauncher.createSync("op", context, options);

describe("an element-wise launcher", () => {
  test("runs its statements for each element with named parameters", async () => {
    const [u, v] = [floats(1, 2, 3, 4, 5), floats(10, 20, 30, 40, 50)];
    const launcher = await ElementwiseLauncher.create("axpy", context, {
      signature: "float *u, const float *v, float a, float dt",
      body: "float change = a * v[i]; u[i] += dt * change",
      args: { u, v, a: 2 },
      parameters: { timestep: "dt" },
    });
    expect(launcher.length).toBe(5);
    expect(launcher.elementwiseArrays).toEqual(["u", "v"]);
    launcher.launch(queue, { timestep: 0.5 });
    await launcher.enqueue(outOfOrder, { timestep: 1 }).wait();
    expect(await read(u)).toEqual([31, 62, 93, 124, 155]);
    expect([...launcher.parameters.keys()]).toEqual(["timestep"]);
    expect(() => launcher.launch(queue, { timestep: "1" as never })).toThrow(wrongType());
  });

  test("can use preamble functions, other elements, i and n, and process a part of its arrays", async () => {
    const [u, v] = [ints(9, 9, 9, 9), ints(1, 2, 3, 4)];
    const launcher = make({
      signature: "const int *v, int *u",
      preamble: "int add(int a, int b) { return a + b; }\n#define LAST (n - 1)",
      body: "u[i] = add(v[i], v[LAST - i]) + (int)i; // mirrored\n",
      args: [v, u],
      length: 3,
    });
    expect(launcher.elementwiseArrays).toEqual(["u"]);
    launcher.launch(queue);
    expect(await read(u)).toEqual([1 + 3, 2 + 2 + 1, 3 + 1 + 2, 9]);
  });

  test("accepts all spellings of C types and qualifiers in its signature", async () => {
    const [u, v] = [ints(1, 2), ints(10, 20)];
    make({
      signature: "__global signed int *restrict const u, int const global *v, unsigned long int k, struct pair *p",
      preamble: "struct pair { int a, b; };",
      body: "u[i] += v[i] + k; // sum \\\n u[i] = 0;\n",
      args: [u, v, 3, ints(0, 0, 0, 0)],
      length: 2,
    }).launch(queue);
    expect(await read(u)).toEqual([14, 25]);
  });

  test("defaults to the length of its shortest buffer, and does nothing for length 0", async () => {
    const [long, short] = [ints(1, 1, 1), ints(1, 1)];
    make({ signature: "int *a, const int *b", body: "a[i] += b[i]", args: [long, short] }).launch(queue);
    make({ signature: "int *a", body: "a[i] = 7", args: [long], length: 0 }).launch(queue);
    expect(await read(long)).toEqual([2, 2, 1]);
    const many = DeviceBuffer.from(context, new Int32Array(10_007));
    const launcher = make({ signature: "int *a", body: "a[i] = 3 * i + n", args: [many] });
    new ListLauncher("list").push(launcher).launch(queue);
    expect(await queue.read(many)).toEqual(Int32Array.from({ length: 10_007 }, (_, i) => 3 * i + 10_007));
  });
});

const bodies: readonly (readonly [string, string, preamble?: string])[] = [
  ["an empty body", " /* */"],
  ["a brace that closes the kernel", "u[i] = 1; } }"],
  ["an unclosed brace", "if (a) { u[i] = 1;"],
  ["a directive", "#define X 1\nu[i] = X"],
  ["a string literal", 'printf("x")'],
  ["a return", "if (u[i] > 0) return; u[i] = 1"],
  ["a return in a macro", "if (u[i] > 0) STOP; u[i] = 1", "#define STOP \\\n  LEAVE\n#define LEAVE return"],
  ["a barrier", "barrier(CLK_LOCAL_MEM_FENCE)"],
  ["local memory", "local float x[2]"],
  ["a loop variable named i", "for (int i = 0; i < 3; i++) u[i] = 1"],
  ["a variable named i among others", "int k = 0, i = 1; u[i] = k"],
  ["an uninitialized variable named i", "int k, i, j; u[i] = k"],
  ["a pointer named i", "float *i; u[i] = 0"],
  ["a name of the generated source", "u[i] = fused_n"],
];

test.each<[string, Partial<ElementwiseOptions>, Error]>([
  ["an invalid signature", { signature: "float" }, wrongValue("options.signature")],
  ["a signature without an array", { signature: "float a" }, wrongValue("options.signature")],
  ["an empty signature", { signature: " /* */ " }, wrongValue("options.signature")],
  ["a duplicate name", { signature: "float *u, int u" }, wrongValue()],
  ["an argument named i", { signature: "float *i" }, wrongValue("options.signature")],
  ["a body that is not a string", { body: 1 as never }, wrongType("options.body")],
  ...bodies.map(
    ([name, body, preamble = ""]) => [name, { body, preamble }, wrongValue("options.body")] as [string, object, Error],
  ),
  ["a preamble that is not a string", { preamble: 3 as never }, wrongType("options.preamble")],
  ["a length beyond 32 bits", { length: 2 ** 32 }, outOfRange("options.length")],
  ["an unknown length", { args: [null, 1] }, wrongValue("options.length")],
  ["an array that is too short", { length: 5 }, outOfRange("options.args.u")],
  ["too few arguments", { args: [1], length: 4 }, wrongValue("options.args")],
  ["an unknown parameter", { parameters: ["b"] }, outOfRange("options.parameters.b")],
])("an element-wise launcher rejects %s", (_, options, error) => {
  const all = { signature: "float *u, float a", body: "u[i] = a", args: [floats(1, 2, 3, 4), 1], ...options };
  expect(() => make(all)).toThrow(error);
});

test("an element-wise launcher rejects aliased arguments if one is written", () => {
  const step = Math.max(...context.devices.map(({ memBaseAddrAlign }) => memBaseAddrAlign)) / 32;
  const u = DeviceBuffer.from(context, new Float32Array(2 * step));
  const part = u.slice(step);
  const options = { body: "a[i] = b[i]", length: step };
  for (const args of [
    [u, u],
    [u, part],
  ]) {
    expect(() => make({ ...options, signature: "float *a, const float *b", args })).toThrow(wrongValue("options.args"));
  }
  make({ ...options, body: "float s = a[i] + b[i]", signature: "const float *a, const float *b", args: [u, part] });
});

test("expressions that multiply or pass i are not mistaken for declarations of i", async () => {
  const u = ints(0, 0, 0);
  make({
    signature: "int *u, int k",
    preamble: "int three(int a, int b, int c) { return a + b + c; }",
    body: `
      int2 pair = (int2)(k * i, i);
      int list[3] = { 1, i, k * i };
      u[i] = three(k, i, 1) + pair.x + list[2];
      for (int j = 0; j < 2; j++) u[i] += k * i;`,
    args: { u, k: 10 },
  }).launch(queue);
  expect(await read(u)).toEqual([0, 1, 2].map((i) => 10 + i + 1 + 4 * 10 * i));
});
