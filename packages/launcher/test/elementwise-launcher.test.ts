import { DeviceBuffer } from "@cl/core";
import { ElementwiseLauncher, type ElementwiseOptions, ListLauncher } from "@cl/launcher";
import { errorLike } from "@cl/testing/error-like";
import { describe, expect, test } from "vitest";

import { context, floats, ints, outOfOrder, queue, read } from "./support/device.js";

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
    expect(() => launcher.launch(queue, { timestep: "1" as never })).toThrow(
      errorLike(TypeError, "ERR_INVALID_ARG_TYPE"),
    );
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

  test("does not confuse struct members with arguments of the same name", async () => {
    const u = floats(1, 2, 3, 4);
    const pairs = u.as(Float32Array);
    make({
      signature: "float *u, float dt",
      preamble: "typedef struct { float u, dt; } pair;",
      body: "pair p = { u[i], dt }; u[i] = p.u * p.dt;",
      args: { u: pairs, dt: 2 },
    }).launch(queue);
    expect(await read(u)).toEqual([2, 4, 6, 8]);
  });
});

test.each<[string, Partial<ElementwiseOptions>, Error | RegExp]>([
  ["an invalid signature", { signature: "float" }, errorLike(TypeError, "ERR_INVALID_ARG_VALUE", "options.signature")],
  [
    "a signature without an array",
    { signature: "float a" },
    errorLike(TypeError, "ERR_INVALID_ARG_VALUE", "options.signature"),
  ],
  ["an empty signature", { signature: " /* */ " }, errorLike(TypeError, "ERR_INVALID_ARG_VALUE", "options.signature")],
  ["a duplicate name", { signature: "float *u, int u" }, errorLike(TypeError, "ERR_INVALID_ARG_VALUE")],
  [
    "an argument named i",
    { signature: "float *i" },
    errorLike(TypeError, "ERR_INVALID_ARG_VALUE", "options.signature"),
  ],
  [
    "an empty body",
    { body: " ; /* */".replace(";", "") },
    errorLike(TypeError, "ERR_INVALID_ARG_VALUE", "options.body"),
  ],
  ["a body that is not a string", { body: 1 as never }, errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options.body")],
  [
    "a brace that closes the kernel",
    { body: "u[i] = 1; } }" },
    errorLike(TypeError, "ERR_INVALID_ARG_VALUE", "options.body"),
  ],
  ["an unclosed brace", { body: "if (a) { u[i] = 1;" }, errorLike(TypeError, "ERR_INVALID_ARG_VALUE", "options.body")],
  ["a directive", { body: "#define X 1\nu[i] = X" }, errorLike(TypeError, "ERR_INVALID_ARG_VALUE", "options.body")],
  ["a string literal", { body: 'printf("x")' }, errorLike(TypeError, "ERR_INVALID_ARG_VALUE", "options.body")],
  [
    "a return",
    { body: "if (u[i] > 0) return; u[i] = 1" },
    errorLike(TypeError, "ERR_INVALID_ARG_VALUE", "options.body"),
  ],
  [
    "a barrier",
    { body: "barrier(CLK_LOCAL_MEM_FENCE)" },
    errorLike(TypeError, "ERR_INVALID_ARG_VALUE", "options.body"),
  ],
  ["local memory", { body: "local float x[2]" }, errorLike(TypeError, "ERR_INVALID_ARG_VALUE", "options.body")],
  [
    "a loop variable named i",
    { body: "for (int i = 0; i < 3; i++) u[i] = 1" },
    errorLike(TypeError, "ERR_INVALID_ARG_VALUE", "options.body"),
  ],
  [
    "a variable named i among others",
    { body: "int k = 0, i = 1; u[i] = k" },
    errorLike(TypeError, "ERR_INVALID_ARG_VALUE", "options.body"),
  ],
  [
    "an uninitialized variable named i",
    { body: "int k, i, j; u[i] = k" },
    errorLike(TypeError, "ERR_INVALID_ARG_VALUE", "options.body"),
  ],
  ["a pointer named i", { body: "float *i; u[i] = 0" }, errorLike(TypeError, "ERR_INVALID_ARG_VALUE", "options.body")],
  [
    "a name of the generated source",
    { body: "u[i] = fused_n" },
    errorLike(TypeError, "ERR_INVALID_ARG_VALUE", "options.body"),
  ],
  [
    "a return in a macro",
    { preamble: "#define STOP \\\n  LEAVE\n#define LEAVE return", body: "if (u[i] > 0) STOP; u[i] = 1" },
    errorLike(TypeError, "ERR_INVALID_ARG_VALUE", "options.body"),
  ],
  [
    "a preamble that is not a string",
    { preamble: 3 as never },
    errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options.preamble"),
  ],
  ["a length beyond 32 bits", { length: 2 ** 32 }, errorLike(RangeError, "ERR_OUT_OF_RANGE", "options.length")],
  ["an unknown length", { args: [null, 1] }, errorLike(TypeError, "ERR_INVALID_ARG_VALUE", "options.length")],
  ["an array that is too short", { length: 5 }, /options\.args\.u must be a buffer of 5 elements of 4 bytes, received/],
  ["too few arguments", { args: [1], length: 4 }, errorLike(TypeError, "ERR_INVALID_ARG_VALUE", "options.args")],
  ["an unknown parameter", { parameters: ["b"] }, errorLike(RangeError, "ERR_OUT_OF_RANGE", "options.parameters.b")],
])("an element-wise launcher rejects %s", (_, options, message) => {
  const all = { signature: "float *u, float a", body: "u[i] = a", args: [floats(1, 2, 3, 4), 1], ...options };
  expect(() => make(all)).toThrow(message);
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
    expect(() => make({ ...options, signature: "float *a, const float *b", args })).toThrow(
      errorLike(TypeError, "ERR_INVALID_ARG_VALUE", "options.args"),
    );
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
