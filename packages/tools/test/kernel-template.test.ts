import { BuildError, CommandQueue, Context, type Device, DeviceBuffer, NotSupportedError, structType } from "@cl/core";
import { errorLike, outOfRange, wrongType } from "@cl/testing/error-like";
import {
  argumentValues,
  KernelTemplate,
  offsetCode,
  parseArguments,
  TypeRegistry,
  type VectorArgument,
} from "@cl/tools";
import { describe, expect, test } from "vitest";

const context = Context.create();
const queue = new CommandQueue(context);
const [device] = context.devices as [Device];

/** Renders a template that contains only code. */
function rendered(source: string, values: Record<string, string>): string {
  const placeholders = Object.fromEntries(Object.keys(values).map((name) => [name, "code"] as const));
  return new KernelTemplate(source, placeholders).render(values).source;
}

const saxpy = new KernelTemplate(
  `__kernel void $name($args) {
    $offsets
    size_t i = get_global_id(0);
    $T value = $factor * x[i];
    $steps
    y[i] = value;
  }`,
  {
    name: "name",
    T: "type",
    factor: { value: "float32" },
    args: "arguments",
    times: "integer",
    offsets: ({ args }: { args: Parameters<typeof offsetCode>[0] }) => offsetCode(args),
    steps: ({ times }: { times: number }) => Array.from({ length: times }, (_, i) => `value += ${i};`).join("\n"),
  },
  { label: "saxpy" },
);
const args = parseArguments("__global const int *x, __global float *y", { withOffset: true });

describe("a template", () => {
  test("builds a program that runs", async () => {
    const program = await saxpy.build(context, { name: "scale", T: "float32", factor: 0.5, args, times: 3 });
    const x = DeviceBuffer.from(context, Int32Array.of(1, 2, 3));
    const y = DeviceBuffer.empty(context, Float32Array, 3);
    program.kernel("scale").launch(queue, { global: 3 }, ...(argumentValues(args, [x, y]) as never[]));
    expect(await queue.read(y)).toEqual(Float32Array.of(3.5, 4, 4.5));
  });

  test("returns its rendered source", () => {
    const { source, origin } = saxpy.render({ name: "f", T: "double", factor: -0.1, args, times: 2 });
    expect(source).toBe(`#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
__kernel void f(__global const int *x__base, long x__offset, __global float *y__base, long y__offset) {
    ${offsetCode(args).replace("\n", "\n    ")}
    size_t i = get_global_id(0);
    double value = (-0.1f) * x[i];
    value += 0;
    value += 1;
    y[i] = value;
  }`);
    expect([1, 4, 6, 7, 8, 10, 12, 99].map(origin)).toEqual([
      undefined,
      'line 1 of template "saxpy"',
      'line 2 of $offsets in line 2 of template "saxpy"',
      'line 3 of template "saxpy"',
      'line 4 of template "saxpy"',
      'line 2 of $steps in line 5 of template "saxpy"',
      'line 7 of template "saxpy"',
      undefined,
    ]);
  });

  test("is built once per context, values and options", async () => {
    const values = { name: "once", T: "float", factor: 1, args, times: 0 } as const;
    const [one, two] = await Promise.all([saxpy.build(context, values), saxpy.build(context, { ...values, T: "f4" })]);
    expect(one).toBe(two);
    expect(await saxpy.build(context, values, { options: "-DX" })).not.toBe(one);
    expect(await saxpy.build(context, { ...values, factor: 2 })).not.toBe(one);
    expect(await saxpy.build(new Context(device), values)).not.toBe(one);
    one.release();
    expect((await saxpy.build(context, values)).released).toBe(false);
  });

  test("returns the same program synchronously, also during an asynchronous build", async () => {
    const values = { name: "at_once", T: "float", factor: 1, args, times: 0 } as const;
    const pending = saxpy.build(context, values);
    const program = saxpy.buildSync(context, values);
    expect(program.kernelNames).toEqual(["at_once"]);
    expect(await pending).toBe(program);
    expect(saxpy.buildSync(context, values)).toBe(program);
    expect(saxpy.buildSync(context, values, { options: "-DX" })).not.toBe(program);
    program.release();
    expect(saxpy.buildSync(context, values).released).toBe(false);
    const wrong = new KernelTemplate("__kernel void k($args) { $body }", { args: "arguments", body: "code" });
    const broken = { args, body: "nonsense;" };
    await expect(wrong.build(context, broken)).rejects.toThrow(BuildError);
    expect(() => wrong.buildSync(context, broken)).toThrow(BuildError);
    await expect(wrong.build(context, broken)).rejects.toThrow(BuildError);
  });

  test("is built once for concurrent callers, each of which can stop waiting separately", { tags: "ci" }, async () => {
    const values = { name: "together", T: "float", factor: 1, args, times: 0 } as const;
    const reason = new Error("enough");
    const stopped = saxpy.build(context, values, { signal: AbortSignal.abort(reason) });
    const kept = saxpy.build(context, values);
    await expect(stopped).rejects.toBe(reason);
    expect((await kept).kernelNames).toEqual(["together"]);
  });
});

describe("placeholders", () => {
  test.each([
    ["are replaced alone, in parentheses, next to letters", "$a $(a)4 x$a $$a $(a)_t", "1 14 x1 $a 1_t"],
    [
      "are not replaced in comments and strings",
      '// $b\n/* $b\n */ "a $b \\" $b" $a',
      '// $b\n/* $b\n */ "a $b \\" $b" 1',
    ],
    ["are replaced after text like a literal", '\'"\' $a // \\\n $b\n"//" $a', '\'"\' 1 // \\\n $b\n"//" 1'],
  ])("%s", (_, source, expected) => {
    expect(rendered(source, { a: "1" })).toBe(expected);
  });

  test("keep their indentation, and break the line after a comment", () => {
    expect(rendered("{\n  $body\n}", { body: "a;\n  b;\nc;" })).toBe("{\n  a;\n    b;\n  c;\n}");
    expect(rendered("{ $body }", { body: "a; // done" })).toBe("{ a; // done\n }");
    expect(rendered("#define M $body", { body: '"//" a // b' })).toBe('#define M "//" a');
    expect(rendered("#define M(x) \\\n  $body \\\n  end\n$body", { body: "a // c\nb" })).toBe(
      "#define M(x) \\\n  a \\\nb \\\n  end\na // c\nb",
    );
  });

  test("in a macro are continued over lines, and their comments are removed", async () => {
    const body = "x += 1; // one\n/* two\n   lines */ x += 2; \\\nx += 4; // last";
    const source = `#define STEP(x) do { $body } while (0)
#define OTHER 1
__kernel void k(__global int *out) { int v = 0; STEP(v); out[0] = v + OTHER; }`;
    const program = await new KernelTemplate(source, { body: "code" }).build(context, { body });
    const out = DeviceBuffer.empty(context, Int32Array, 1);
    program.kernel("k").launch(queue, { global: 1 }, ...([out] as never[]));
    expect(await queue.read(out)).toEqual(Int32Array.of(8));
  });

  test("include the definitions of structs that they use, and of registered structs", { tags: "ci" }, async () => {
    const pair = structType("pair_t", { a: "int32", b: "float32" });
    const outer = structType("outer_t", { first: pair, n: "int32" });
    const template = new KernelTemplate(
      "__kernel void k(__global $T *all, __global outer_t *o) { all[0].a = sizeof($T) + o[0].n; }",
      { T: "type" },
      { types: [outer] },
    );
    expect((await template.build(context, { T: pair })).kernelNames).toEqual(["k"]);
    const list = parseArguments("pair_t *x", { types: new TypeRegistry([pair]) });
    const program = await new KernelTemplate("__kernel void k($args) { x[0].a = 1; }", { args: "arguments" }).build(
      context,
      { args: list },
    );
    expect(program.kernelNames).toEqual(["k"]);
  });

  test("as functions receive the values, such as for a loop over arguments", () => {
    const template = new KernelTemplate("{ $sum }", {
      args: "arguments",
      sum: ({ args: list }: { args: readonly VectorArgument[] }) => list.map((one) => one.load("i")).join(" + "),
    });
    expect(template.render({ args: parseArguments("half *x, float *y") }).source).toBe("{ vload_half(i, x) + y[i] }");
  });
});

test("compiler errors refer to the template's lines", async () => {
  const template = new KernelTemplate(
    "__kernel void k(__global $T *x) {\n  $body\n  nonsense1;\n}",
    { T: "type", body: "code" },
    { label: "wrong" },
  );
  const error: unknown = await template
    .build(context, { T: "float", body: "x[0] = 1;\nnonsense2;" })
    .catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(BuildError);
  const { message, diagnostics } = error as BuildError;
  expect(diagnostics.filter(({ severity }) => severity === "error").map(({ origin }) => origin)).toEqual([
    'line 2 of $body in line 2 of template "wrong"',
    'line 3 of template "wrong"',
  ]);
  expect(message).toContain('(line 3 of template "wrong")');
  await expect(template.build(context, { T: "float", body: "" })).rejects.toThrow(BuildError);
});

test("a missing device feature throws before the compiler runs", async () => {
  const template = new KernelTemplate("__kernel void k($args) { }", { args: "arguments" }, { label: "halves" });
  const built = template.build(context, { args: parseArguments("half h") });
  if (device.hasExtension("cl_khr_fp16")) expect((await built).kernelNames).toEqual(["k"]);
  else await expect(built).rejects.toThrow(errorLike(NotSupportedError, "ERR_CL_NOT_SUPPORTED"));
});

describe("errors name the wrong argument:", () => {
  const some = new KernelTemplate("$T $n $v $c $args", {
    T: "type",
    n: "name",
    v: { value: "uint8" },
    c: "code",
    args: "arguments",
  });
  const right = { T: "float", n: "x", v: 1, c: "", args: [] } as const;
  const make =
    (source: unknown, placeholders: unknown, options?: unknown): (() => unknown) =>
    () =>
      new KernelTemplate(source as string, placeholders as { a: "code" }, options as object);
  const render =
    (values: unknown): (() => unknown) =>
    () =>
      some.render(values as typeof right);
  test.each<[string | undefined, () => unknown]>([
    ["source", make(1, {})],
    ["source", make("\n$ 1", {})],
    ["placeholders", make("", 1)],
    ["placeholders", make("", ["a"])],
    ["placeholders", make("\n$a", {})],
    ["placeholders", make("$constructor", {})],
    ["placeholders", make("", { a: "code" })],
    ["placeholders", make("", { a: () => "" })],
    ["placeholders", make("", { "a b": "code" })],
    ["placeholders.a", make("$a", { a: "text" })],
    ["placeholders.a", make("$a", { a: {} })],
    ["placeholders.a.value", make("$a", { a: { value: "nothing" } })],
    ["placeholders.a.value", make("$a", { a: { value: structType("s", { x: "f4" }) } })],
    ["options", make("", {}, 1)],
    ["options.label", make("", {}, { label: 1 })],
    ["options.types", make("", {}, { types: 1 })],
    ["values", render(1)],
    ["values", render({ ...right, extra: 1 })],
    ["values.T", render({ ...right, T: undefined })],
    ["values.T", render({ ...right, T: "nothing" })],
    ["values.n", render({ ...right, n: "a b" })],
    ["values.n", render({ ...right, n: 1 })],
    ["values.v", render({ ...right, v: "1" })],
    ["values.c", render({ ...right, c: 1 })],
    ["values.args", render({ ...right, args: "float a" })],
    ["values.args[0]", render({ ...right, args: ["float a"] })],
    ["values.f", () => new KernelTemplate("$f", { f: () => "" }).render({ f: "" })],
    [undefined, () => new KernelTemplate("$f", { f: () => 1 as never }).render({})],
    ["placeholders", () => new KernelTemplate("$f", { a: "code", f: () => "" }).render({ a: "" })],
  ])("%s (%#)", (argument, call) => {
    expect(call).toThrow(wrongType(argument));
  });

  test("values.v outside of its type's range", () => {
    expect(render({ ...right, v: 256 })).toThrow(outOfRange("values.v"));
  });

  test.each<[string, unknown[]]>([
    ["context", [1, right]],
    ["values", [context, 1]],
    ["options", [context, right, 1]],
    ["options", [context, right, { options: 1 }]],
  ])("%s of build and buildSync (%#)", async (argument, list) => {
    await expect(Reflect.apply(some.build, some, list)).rejects.toThrow(wrongType(argument));
    expect((): unknown => Reflect.apply(some.buildSync, some, list)).toThrow(wrongType(argument));
  });

  test("signal of build", async () => {
    await expect(some.build(context, right, { signal: 1 as never })).rejects.toThrow(wrongType("signal"));
  });
});
