import {
  CommandQueue,
  Context,
  DeviceBuffer,
  DeviceView,
  dtype,
  ElementArray,
  kernelArgument,
  type KernelArgument,
  type KernelArgumentValue,
  LocalMemory,
  Program,
  structType,
  TypedValue,
} from "@cl/core";
import {
  argumentExtensions,
  argumentTypes,
  argumentValues,
  declareArguments,
  ImageArgument,
  memoizeByFirstArg,
  offsetCode,
  OpaqueArgument,
  parseArgument,
  parseArguments,
  ScalarArgument,
  TypeRegistry,
  VectorArgument,
} from "@cl/tools";
import { array, assert, boolean, constantFrom, property, record } from "fast-check";
import { describe, expect, test } from "vitest";
import { wrongType } from "@cl/testing/error-like";

const context = Context.create();
const queue = new CommandQueue(context);
const particle = structType("particle", { position: "float3", mass: "float32" });
const types = new TypeRegistry([particle]);
types.register(["cfloat_t", "complex_float"], "complex64");

describe("parseArguments", () => {
  test.each<[string, Partial<VectorArgument>, string?]>([
    ["float *x", { dtype: dtype("float32"), addressSpace: "global", isConst: false }, "__global float *x"],
    ["__global const float *x", { dtype: dtype("float32"), isConst: true }],
    ["const __global float* restrict x", { isConst: true, isRestrict: true }, "__global const float *restrict x"],
    ["float const global *__restrict__ x", { isConst: true, isRestrict: true }, "__global const float *restrict x"],
    ["__global volatile int *counter", { isVolatile: true, dtype: dtype("int32") }],
    ["__global float4 *x", { dtype: dtype("float32x4") }],
    ["__global int8 *x", { dtype: dtype("int32x8") }],
    ["global unsigned int *x", { dtype: dtype("uint32") }, "__global uint *x"],
    ["unsigned *x", { dtype: dtype("uint32") }, "__global uint *x"],
    ["unsigned long int *x", { dtype: dtype("uint64") }, "__global ulong *x"],
    ["__global half *x", { dtype: dtype("float16") }],
    ["__local double *x", { addressSpace: "local", dtype: dtype("float64") }],
    ["__constant float3 *x", { addressSpace: "constant", dtype: dtype("float32x3") }],
    ["__global particle *all", { dtype: particle, cName: "particle" }],
    ["__global struct particle *all", { dtype: particle, cName: "struct particle" }],
    ["complex_float *z", { dtype: dtype("complex64"), cName: "complex_float" }, "__global complex_float *z"],
    ["  float /* of what? */ * x // a line\n", { dtype: dtype("float32"), name: "x" }, "__global float *x"],
    ["__global float *const x", { isConst: false }, "__global float *x"],
  ])("describes the pointer %j", (text, expected, declaration = text) => {
    const argument = parseArgument(text, { types });
    expect(argument).toBeInstanceOf(VectorArgument);
    expect(argument).toMatchObject(expected);
    expect(argument.declaration).toBe(declaration);
  });

  test.each<[string, Partial<ScalarArgument>, string?]>([
    ["float a", { dtype: dtype("float32") }],
    ["const unsigned char n", { dtype: dtype("uint8"), isConst: true }, "const uchar n"],
    ["unsigned n", { dtype: dtype("uint32") }, "uint n"],
    ["double16 v", { dtype: dtype("float64x16") }],
    ["half h", { dtype: dtype("float16") }],
    ["__private int i", { dtype: dtype("int32") }, "int i"],
    ["particle p", { dtype: particle }],
    ["cfloat_t z", { dtype: dtype("complex64"), cName: "cfloat_t" }],
  ])("describes the value %j", (text, expected, declaration = text) => {
    const argument = parseArgument(text, { types });
    expect(argument).toBeInstanceOf(ScalarArgument);
    expect(argument).toMatchObject(expected);
    expect(argument.declaration).toBe(declaration);
  });

  test.each<[string, object, string?]>([
    ["image2d_t im", { imageType: "image2d_t", access: "read_only" }, "__read_only image2d_t im"],
    ["__write_only image3d_t im", { imageType: "image3d_t", access: "write_only" }],
    ["read_write image2d_array_t im", { access: "read_write" }, "__read_write image2d_array_t im"],
    ["sampler_t s", { kind: "opaque" }],
    ["__read_only pipe int p", { kind: "opaque" }],
    ["__global void *p", { kind: "opaque" }],
    ["const void *p", { kind: "opaque" }, "__global const void *p"],
  ])("describes %j, which has no elements", (text, expected, declaration = text) => {
    const argument = parseArgument(text);
    expect(argument).toMatchObject(expected);
    expect(argument.declaration).toBe(declaration);
    expect(argument.argTypes).toEqual([null]);
  });

  test("takes the size of size_t from the device", () => {
    expect(parseArgument("size_t n", { addressBits: 64 }).declaration).toBe("ulong n");
    expect(parseArgument("ptrdiff_t n", { addressBits: 32 }).declaration).toBe("int n");
    expect(() => parseArgument("size_t n")).toThrow(wrongType("declaration"));
  });
});

test.each([
  ["incomplete declarations", ["", "float", "float *", "unsigned int", "*x"]],
  ["pointers to pointers", ["float **x", "float * const * x"]],
  ["arrays, functions and attributes", ["float x[4]", "void (*f)(int)", "__attribute__((unused)) float x"]],
  ["anything after the name", ["float a, float b", "float a = 1", "float &x", "...", "float 2x", "float *unsigned x"]],
  ["types without a defined size", ["bool b", "bool *b", "intptr_t *p", "void v"]],
  [
    "unknown types",
    ["strange s", "float32 x", "float5 x", "__proto__ x", "struct float *x", "struct o *x", "union u *x"],
  ],
  ["invalid address spaces", ["__global float x", "__global __local float *x", "__private float *x"]],
  ["misplaced qualifiers", ["read_only float *x", "read_only write_only image2d_t x", "restrict float *x"]],
  ["pointers to opaque types", ["image2d_t *x", "sampler_t *s"]],
  ["reserved names", ["float int", "float __secret"]],
])("parseArguments rejects %s", (_, declarations) => {
  for (const text of declarations) expect(() => parseArgument(text), text).toThrow(wrongType());
});

describe("an argument list", () => {
  test("is split at its commas, ignoring comments", () => {
    const list = parseArguments("float a, // scale, in metres\n __global const float4 *x /* a, b */, particle p", {
      types,
    });
    expect(list.map(({ name }) => name)).toEqual(["a", "x", "p"]);
    expect(declareArguments(list)).toBe("float a, __global const float4 *x, particle p");
  });

  test("is empty for an empty text and for void", () => {
    expect(parseArguments("")).toEqual([]);
    expect(parseArguments(" void ")).toEqual([]);
    expect(declareArguments([])).toBe("");
  });

  test("accepts descriptions unchanged", () => {
    const x = new VectorArgument("f4", "x");
    const list = parseArguments([x, "__global float *y", new ScalarArgument("i4", "n")], { withOffset: true });
    expect(list[0]).toBe(x);
    expect(declareArguments(list)).toBe("__global float *x, __global float *y__base, long y__offset, int n");
  });

  test.each<[unknown, string]>([
    ["float a,", "list[1]"],
    ["float a, float *a", "list[1]"],
    ["float a, float **b", "list[1]"],
    [["float a", 1], "list[1]"],
    [["float a, float b"], "list[0]"],
    [1, "list"],
    [undefined, "list"],
  ])("rejects %j and names the position", (list, argument) => {
    expect(() => parseArguments(list as never)).toThrow(wrongType(argument));
  });

  test("prints a text that can be parsed again", () => {
    const name = constantFrom("a", "b", "x1", "some_name");
    const type = constantFrom("float", "int4", "uchar", "half", "double3", "particle", "cfloat_t");
    const space = constantFrom("global", "local", "constant");
    const one = record({ name, type, pointer: boolean(), isConst: boolean(), space, restrict: boolean() });
    assert(
      property(array(one, { maxLength: 4 }), (given) => {
        const unique = given.filter(({ name: its }, i) => given.findIndex((other) => other.name === its) === i);
        const list = unique.map((it) =>
          it.pointer
            ? new VectorArgument(types.dtype(it.type), it.name, {
                cName: it.type,
                const: it.isConst,
                addressSpace: it.space as "global",
                restrict: it.restrict,
              })
            : new ScalarArgument(types.dtype(it.type), it.name, { cName: it.type, const: it.isConst }),
        );
        expect(parseArguments(declareArguments(list), { types })).toEqual(list);
      }),
    );
  });

  test("lists the required device features", () => {
    const list = parseArguments("half *x, double *y, double2 v, half h");
    expect(argumentExtensions(list)).toEqual(["cl_khr_fp64", "cl_khr_fp16"]);
    expect(argumentExtensions(parseArguments("half *x, float y"))).toEqual([]);
    const withDoubles = structType("with_doubles", { inner: structType("inner_doubles", { x: "double" }) });
    expect(argumentExtensions([new VectorArgument(withDoubles, "x")])).toEqual(["cl_khr_fp64"]);
  });
});

/** A kernel argument at any byte of a buffer, unlike a sub-buffer. */
function at(memory: DeviceBuffer, byteOffset: number): KernelArgument {
  return { [kernelArgument]: (): KernelArgumentValue => ({ memory, byteOffset }) };
}

describe("generated code in a kernel", () => {
  test("supports offset pointers at any element of buffers, views and shared memory", async () => {
    const list = parseArguments("float a, __global const float *restrict x, __global float *y, __constant float *c", {
      withOffset: true,
    });
    expect(offsetCode(list).split("\n")).toHaveLength(3);
    const program = await new Program(
      context,
      `__kernel void axpy(${declareArguments(list)}) {
        ${offsetCode(list)}
        size_t i = get_global_id(0);
        y[i] = a * x[i] + y[i] + c[0];
      }`,
    ).build();
    const kernel = program.kernel("axpy");
    kernel.argTypes = argumentTypes(list);
    const x = DeviceBuffer.from(context, Float32Array.of(0, 0, 0, 1, 2, 3));
    const y = DeviceBuffer.from(context, Float32Array.of(9, 10, 20, 30, 9));
    const c = DeviceView.fromHost(context, Float32Array.of(0.5));
    kernel.launch(queue, { global: 3 }, ...(argumentValues(list, [2, at(x, 12), at(y, 4), c]) as never[]));
    expect(await queue.read(y)).toEqual(Float32Array.of(9, 12.5, 24.5, 36.5, 9));
  });

  test("loads and stores halves, Booleans, local memory and structs", async () => {
    const list = parseArguments(
      "__global const half *h, __global half *g, __local float *t, particle p, __global float *out",
      { types },
    );
    const flags = new VectorArgument("bool", "flags");
    const [h, g] = list as [VectorArgument, VectorArgument];
    const program = await new Program(
      context,
      `${particle.cDeclaration}
      __kernel void mix(${declareArguments([...list, flags])}) {
        t[0] = ${h.load("1")};
        ${g.store("0", "2 * t[0]")};
        ${flags.store("1", "7")};
        out[0] = p.mass + t[0] + ${flags.load("0")};
      }`,
    ).build();
    const kernel = program.kernel("mix");
    kernel.argTypes = argumentTypes([...list, flags]);
    const halves = (...values: number[]): DeviceBuffer =>
      DeviceBuffer.from(context, ElementArray.from("half", values).array);
    const [from, to, out] = [halves(1, 1.5), halves(0), DeviceBuffer.empty(context, Float32Array, 1)];
    const bits = DeviceBuffer.from(context, Uint8Array.of(200, 0));
    const p = new TypedValue(particle, { position: [0, 0, 0], mass: 0.25 });
    kernel.launch(queue, { global: 1 }, ...([from, to, new LocalMemory(4), p, out, bits] as never[]));
    const read = new ElementArray("half", 1);
    await queue.read(to, { into: read.array });
    expect(read.get(0)).toBe(3);
    expect(await queue.read(out)).toEqual(Float32Array.of(0.25 + 1.5 + 1));
    expect(await queue.read(bits)).toEqual(Uint8Array.of(200, 1));
  });

  test("loads and stores half3 with the size of half4", () => {
    const v = new VectorArgument(new TypeRegistry().dtype("half3"), "v");
    expect(v.load("i")).toBe("vloada_half3(i, (__global half *)v)");
    expect(v.store("i", "x")).toBe("vstorea_half3(x, i, (__global half *)v)");
  });
});

test("argumentTypes makes a launch reject wrong arguments", () => {
  const source = "__kernel void k(__global float *x, int n) { x[0] = n; }" as string;
  const program = new Program(context, source).buildSync();
  const kernel = program.kernel("k");
  kernel.argTypes = argumentTypes(parseArguments("float *x, int n"));
  const wrong = DeviceBuffer.from(context, Int32Array.of(1));
  expect(() => kernel.launch(queue, { global: 1 }, ...([wrong, 1] as never[]))).toThrow(wrongType());
});

test("descriptions work as keys of memoized functions", () => {
  let calls = 0;
  const memoized = memoizeByFirstArg<[Context, unknown], number>(() => ++calls);
  expect(memoized(context, parseArguments("float *x"))).toBe(memoized(context, parseArguments("__global float * x")));
  expect(memoized(context, parseArgument("float x"))).not.toBe(memoized(context, parseArgument("float *x")));
});

describe("a TypeRegistry", () => {
  test("resolves OpenCL C's type names as OpenCL C does", () => {
    const registry = new TypeRegistry();
    expect(registry.dtype("char16")).toBe(dtype("int8x16"));
    expect(registry.dtype(" unsigned   int ")).toBe(dtype("uint32"));
    const names = ["float32", "f4", "bool", "size_t", "signed4", "unsigned int4", "float0", ""];
    expect(names.filter((name) => registry.has(name))).toEqual([]);
  });

  test("names a type by the first name it was registered with", () => {
    const registry = new TypeRegistry();
    expect(registry.cName("complex64")).toBe("float2");
    expect(registry.register(["real", "scalar_t"], "f4")).toBe(dtype("float32"));
    expect(registry.register("real_t", "f4")).toBe(dtype("float32"));
    expect(registry.cName("float32")).toBe("real");
    expect(registry.dtype("real_t")).toBe(dtype("float32"));
  });

  test("rejects a different type for a registered name and registers nothing", () => {
    const registry = new TypeRegistry([particle]);
    registry.register("particle", structType("particle", { position: "float3", mass: "float32" }));
    const other = structType("particle", { mass: "float32" });
    expect(() => registry.register(["new_name", "particle"], other)).toThrow(TypeError);
    expect(registry.has("new_name")).toBe(false);
    expect(() => registry.register("float4", "f4")).toThrow(wrongType("names"));
    expect(() => registry.dtype("particles")).toThrow(wrongType("name"));
    expect(() => new TypeRegistry().cName(particle)).toThrow(wrongType("type"));
  });

  test("lists structs after the structs they contain", () => {
    const outer = structType("outer", { one: particle, two: particle });
    expect(new TypeRegistry([outer, particle]).structs.map(({ name }) => name)).toEqual(["particle", "outer"]);
  });
});

describe("errors name the wrong argument:", () => {
  const x = new VectorArgument("f4", "x");
  const vector = (options: object) => () => new VectorArgument("f4", "x", options);
  const scalar = (options: object) => () => new ScalarArgument("f4", "x", options);
  test.each<[string | undefined, () => unknown]>([
    ["declaration", () => parseArgument(1 as never)],
    ["options", () => parseArgument("float a", 1 as never)],
    ["options.types", () => parseArgument("float a", { types: {} as never })],
    ["options.types[0]", () => parseArguments("float a", { types: [dtype("f4")] as never })],
    ["options.withOffset", () => parseArgument("float a", { withOffset: 1 as never })],
    ["options.addressBits", () => parseArgument("float a", { addressBits: 16 as never })],
    ["type", () => new VectorArgument("nothing", "x")],
    ["name", () => new VectorArgument("f4", "a b")],
    ["options.addressSpace", vector({ addressSpace: "private" })],
    ["options.withOffset", vector({ addressSpace: "local", withOffset: true })],
    ["options.const", vector({ const: 1 })],
    ["options.volatile", vector({ volatile: 1 })],
    ["options.restrict", vector({ restrict: 1 })],
    ["options.cName", vector({ cName: "int" })],
    ["options.cName", scalar({ cName: 1 })],
    ["options.const", scalar({ const: 1 })],
    ["index", () => x.load(1 as never)],
    ["index", () => x.store(1 as never, "0")],
    ["value", () => x.store("0", 1 as never)],
    ["type", () => new ScalarArgument(5 as never, "x")],
    ["imageType", () => new ImageArgument("image4d_t", "x")],
    ["access", () => new ImageArgument("image2d_t", "x", "read" as never)],
    ["name", () => new ImageArgument("image2d_t", "float")],
    ["type", () => new OpaqueArgument("a)b", "x")],
    ["type", () => new OpaqueArgument(1 as never, "x")],
    ["list", () => declareArguments("float a" as never)],
    ["list[0]", () => offsetCode(["float a"] as never)],
    ["list", () => argumentTypes(1 as never)],
    ["list[1]", () => argumentExtensions([x, x])],
    ["list", () => argumentValues(1 as never, [])],
    ["values", () => argumentValues([x], 1 as never)],
    ["values", () => argumentValues([x], [])],
    [undefined, () => argumentValues([new VectorArgument("f4", "y", { withOffset: true })], [1])],
    ["structs", () => new TypeRegistry({} as never)],
    ["structs[0]", () => new TypeRegistry([dtype("f4")] as never)],
    ["names", () => new TypeRegistry().register(1 as never, "f4")],
    ["names", () => new TypeRegistry().register([], "f4")],
    ["type", () => new TypeRegistry().register("a", 1 as never)],
    ["name", () => new TypeRegistry().has(1 as never)],
    ["name", () => new TypeRegistry().dtype(1 as never)],
    ["type", () => new TypeRegistry().cName("nothing")],
  ])("%s (%#)", (argument, call) => expect(call).toThrow(wrongType(argument)));

  test("read-only elements cannot be stored", () => {
    for (const options of [{ const: true }, { addressSpace: "constant" }] as const) {
      expect(() => new VectorArgument("f4", "x", options).store("0", "1")).toThrow(TypeError);
    }
  });
});
