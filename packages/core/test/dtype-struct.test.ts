import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  Context,
  DeviceBuffer,
  DType,
  dtype,
  type DTypeValue,
  ElementArray,
  type FieldLike,
  matchLayout,
  Program,
  StructLayoutError,
  StructType,
  structType,
  TypedValue,
  verifyLayout,
} from "@cl/core";
import { caseCount } from "@cl/testing/level";

import { outOfRange, wrongType } from "@cl/testing/error-like";
import { context, device, kernelOf, queue } from "./support/kernels.js";
import { samplesOf } from "./support/dtype-values.js";

const particle = structType("particle", { position: "float3", mass: "float32", tags: ["int32", 4] });
const value = { position: [1, 2, 3], mass: 0.5, tags: [1, -2, 3, -4] };

describe("a struct", () => {
  test("is laid out like a C struct, including padding", () => {
    const fields = { a: "int8", b: "float64", c: "int16", d: "float4", e: "uint8" } as const;
    const mixed = structType("mixed", fields);
    expect(["a", "b", "c", "d", "e"].map((name) => mixed.offsetOf(name))).toEqual([0, 8, 16, 32, 48]);
    expect(mixed).toMatchObject({ itemSize: 64, alignment: 16, kind: "struct", cName: "mixed", arrayType: Uint8Array });
    expect(mixed.base).toBe(mixed);
    const packed = structType("mixed", fields, { packed: true });
    expect(["a", "b", "c", "d", "e"].map((name) => packed.offsetOf(name))).toEqual([0, 1, 9, 11, 27]);
    expect(packed).toMatchObject({ itemSize: 28, alignment: 1, packed: true });
  });

  test("is a DType with fields", () => {
    expect(particle).toBeInstanceOf(DType);
    expect(dtype(particle)).toBe(particle);
    expect(particle.fields.get("tags")).toEqual({
      name: "tags",
      type: dtype("int32"),
      shape: [4],
      offset: 20,
      bytes: 16,
    });
    expect([...particle.fields.keys()]).toEqual(["position", "mass", "tags"]);
  });

  test("has an OpenCL C definition that includes nested structs first", () => {
    const pair = structType("pair", { both: [particle, 2], grid: ["u1", 2, 3], z: "complex64", yes: "bool" });
    expect(particle.cDeclaration).toContain(
      "typedef struct {\n  float3 position;\n  float mass;\n  int tags[4];\n} particle;\n",
    );
    expect(pair.cDeclaration.indexOf("} particle;")).toBeLessThan(pair.cDeclaration.indexOf("} pair;"));
    expect(pair.cDeclaration).toContain("particle both[2];\n  uchar grid[2][3];\n  float2 z;\n  uchar yes;\n");
    // Definitions of several structs can be concatenated even if they share nested structs.
    kernelOf(`${particle.cDeclaration}${pair.cDeclaration}${particle.cDeclaration}
      __kernel void f(__global pair *p) { p->both[1].mass = 1; }`);
  });

  test("returns the offset of any nested member", () => {
    const pair = structType("pair", { first: "u1", both: [particle, 2], grid: ["int16", 2, 3] });
    expect(pair.offsetOf("both[1].tags[2]")).toBe(16 + 48 + 20 + 8);
    expect(pair.offsetOf("grid[1]")).toBe(16 + 96 + 6);
    expect(pair.offsetOf("grid[1][2]")).toBe(16 + 96 + 10);
    for (const path of ["x", "both[2]", "both.mass", "first[0]", "first.x", "grid[0][3]"]) {
      expect(() => pair.offsetOf(path)).toThrow(RangeError);
    }
    for (const path of ["", "a b", "[0]", "both[", "both[-1]", 5]) {
      expect(() => pair.offsetOf(path as string)).toThrow(TypeError);
    }
  });

  test("equals another struct with the same name and layout", () => {
    const same = structType("particle", { position: "float3", mass: "float", tags: ["i4", 4] });
    expect(particle.equals(same)).toBe(true);
    expect(particle.key).toBe(same.key);
    for (const other of [
      structType("other", { position: "float3", mass: "float", tags: ["i4", 4] }),
      structType("particle", { position: "float3", mass: "float", tags: ["u4", 4] }),
      structType("particle", { position: "float3", weight: "float", tags: ["i4", 4] }),
      structType("particle", { mass: "float", position: "float3", tags: ["i4", 4] }),
      structType("particle", { position: "float3", mass: "float", tags: ["i4", 2, 2] }),
      structType("particle", { position: "float3", mass: "float", tags: ["i4", 4] }, { packed: true }),
    ]) {
      expect(particle.equals(other)).toBe(false);
      expect(particle.key).not.toBe(other.key);
    }
    expect(particle.equals(null)).toBe(false);
  });

  test("with an invalid name, field or type throws", () => {
    const check = (error: Error, fields: unknown, name = "s", options?: unknown): void =>
      expect(() => structType(name, fields as Record<string, FieldLike>, options as undefined)).toThrow(error);
    for (const name of ["float4", "", "a b", "1a", "struct", "uint", "__x", "kernel"]) {
      check(wrongType("name"), { x: "float" }, name);
      check(wrongType("fields"), { [name]: "float" });
    }
    check(wrongType("fields"), {});
    check(wrongType("fields"), ["float"]);
    check(wrongType("fields.x"), { x: "float5" });
    check(wrongType("fields.x"), { x: ["float"] });
    check(wrongType("options.packed"), { x: "float" }, "s", { packed: 1 });
    check(outOfRange("fields.x[1]"), { x: ["float", 0] });
    check(outOfRange("fields.x"), { x: ["float", 2 ** 31 - 1] });
  });
});

describe("a struct's value", () => {
  test.each([
    value,
    { position: Float32Array.of(1, 2, 3), mass: 0.5, tags: Int32Array.of(1, -2, 3, -4) } as unknown as typeof value,
  ])("is read as it was stored, and its padding is cleared: %o", (given) => {
    const view = new DataView(new Uint8Array(64).fill(0xff).buffer);
    particle.set(view, 16, given);
    expect(particle.get(view, 16)).toEqual(value);
    expect(view.getFloat32(16 + 16, true)).toBe(0.5);
    expect([view.getUint32(16 + 12, true), view.getUint32(16 + 36, true)]).toEqual([0, 0]);
  });

  test("must have exactly the declared fields", () => {
    const view = new DataView(new Uint8Array(48).fill(1).buffer);
    for (const [wrong, argument] of [
      [{ ...value, mass: undefined }, "value.mass"],
      [{ ...value, color: 1 }, "value"],
      [{ ...value, tags: [1, 2, 3] }, "value.tags"],
      [[1], "value"],
    ] as const) {
      const set = (): void => particle.set(view, 0, wrong as DTypeValue);
      expect(set).toThrow(wrongType(argument));
    }
    expect(() => particle.set(view, 0, { ...value, tags: [1, 2, 3, 2 ** 31] })).toThrow(outOfRange("value.tags[3]"));
    expect(new Uint8Array(view.buffer).every((byte) => byte === 1)).toBe(true);
  });
});

describe("structs on a device", () => {
  const source = `${particle.cDeclaration}
    __kernel void move(__global particle *all, particle by) {
      size_t i = get_global_id(0);
      all[i].position += by.position;
      all[i].mass *= by.mass;
      for (int k = 0; k < 4; k++) all[i].tags[k] += by.tags[k];
    }`;
  const declared = kernelOf(source);
  declared.argTypes = [null, particle];
  const by = { position: [10, 20, 30], mass: 2, tags: [1, 1, 1, 1] };
  const moved = { position: [11, 22, 33], mass: 1, tags: [2, -1, 4, -3] };

  test("can be read, modified and stored by consecutive kernels", async () => {
    const all = ElementArray.from(particle, [value, value]);
    const buffer = DeviceBuffer.from(context, all.array);
    kernelOf(source).launch(queue, { global: 2 }, buffer, new TypedValue(particle, by));
    await queue.read(buffer, { into: all.array });
    expect([...all]).toEqual([moved, moved]);
  });

  test("can be passed as plain objects if the parameter's type is declared", () => {
    const kernel = declared.clone();
    expect(kernel.argTypes[1]).toBe("particle");
    const all = ElementArray.from(particle, [value]);
    const buffer = DeviceBuffer.from(context, all.array);
    kernel.launch(queue, { global: 1 }, buffer, by);
    queue.readSync(buffer, { into: all.array });
    expect(all.get(0)).toEqual(moved);
    for (const wrong of [{ ...by, mass: "2" }, null, [], {}, new Uint8Array(47)]) {
      expect(() => kernel.launch(queue, { global: 1 }, buffer, wrong)).toThrow(wrongType());
    }
  });

  test("are copied when they are bound or set", () => {
    const kernel = declared.clone();
    const all = ElementArray.from(particle, [value]);
    const buffer = DeviceBuffer.from(context, all.array);
    const changing = { ...by };
    const bound = kernel.bind({ global: 1 }, buffer, changing);
    kernel.setArgs(buffer, changing);
    changing.mass = 100;
    bound.launch(queue);
    kernel.launchWithSetArgs(queue, { global: 1 });
    bound.setArg("by", { ...by, mass: 3 });
    bound.launch(queue);
    queue.readSync(buffer, { into: all.array });
    expect(all.get(0)).toMatchObject({ position: [31, 62, 93], mass: 6 });
  });
});

describe("verifyLayout", () => {
  test("resolves if the device's compiler uses the same layout", async () => {
    const inner = structType("inner", { c: "int8", v: "float3" });
    const outer = structType("outer", { n: "u1", all: [inner, 2], last: inner, small: ["i2", 3] });
    await expect(verifyLayout(queue, outer)).resolves.toBeUndefined();
    await expect(verifyLayout(context, outer)).resolves.toBeUndefined();
    await expect(verifyLayout(device, outer)).resolves.toBeUndefined();
    const packed = structType("tight", { a: "char", b: "int", c: inner, d: "ushort" }, { packed: true });
    await expect(verifyLayout(queue, packed)).resolves.toBeUndefined();
  });

  test("throws an error with the struct and the device if the layouts differ", async () => {
    // This option changes the type of a field.
    const options = "-Dtags=tags[2]";
    const error: unknown = await verifyLayout(queue, particle, { options }).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(StructLayoutError);
    expect(error).toMatchObject({ code: "ERR_CL_STRUCT_LAYOUT", struct: particle, device });
    await expect(verifyLayout(queue, particle)).resolves.toBeUndefined();
  });

  test("queries each device once", async () => {
    const once = structType("once", { x: "float", y: "char" });
    await verifyLayout(queue, once);
    const fresh = new Context([device]);
    // The cached result needs no working context.
    fresh.release();
    await expect(verifyLayout(queue, once, { signal: AbortSignal.abort() })).resolves.toBeUndefined();
  });

  test("rejects with the reason of its signal", async () => {
    const late = structType("late", { x: "float", y: "char" });
    const reason = new Error("enough");
    await expect(verifyLayout(queue, late, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});

describe("matchLayout", () => {
  const inner = structType("inner_m", { c: "int8", v: "int32" });
  const outer = structType("outer_m", { n: "u1", all: [inner, 2], last: "int64" });

  test("returns the struct itself if the device's layout is the same", async () => {
    expect(await matchLayout(device, outer)).toBe(outer);
    expect(await matchLayout(queue, outer)).toBe(outer);
    await expect(matchLayout("GPU" as never, outer)).rejects.toThrow(wrongType("target"));
    expect(await matchLayout(context, outer)).toBe(outer);
  });

  test("returns the device's offsets if they differ, including those of nested structs", async () => {
    // Simulates a compiler that packs every struct.
    const options = ["-Dstruct=struct __attribute__((packed))"];
    await expect(verifyLayout(queue, outer, { options })).rejects.toThrow(StructLayoutError);
    const there = await matchLayout(queue, outer, { options });
    expect(there).not.toBe(outer);
    expect([there.itemSize, there.alignment, there.offsetOf("all[1].v"), there.offsetOf("last")]).toEqual([
      19, 1, 7, 11,
    ]);
    expect(there.cDeclaration).toBe(outer.cDeclaration);
    await expect(verifyLayout(queue, there, { options })).resolves.toBeUndefined();
    const all = [3, 5].map((v) => ({ c: v - 1, v }));
    const memory = DeviceBuffer.from(context, ElementArray.from(there, [{ n: 1, all, last: 6n }]).array);
    const out = DeviceBuffer.empty(context, Int32Array, 1);
    const source = `${there.cDeclaration}
      __kernel void sum(__global outer_m *x, __global int *out) { out[0] = x->n + x->all[0].v + x->all[1].v + x->last; }`;
    const program = await new Program(context, source).build({ options });
    program.kernel("sum").launch(queue, { global: 1 }, ...([memory, out] as never[]));
    expect(queue.readSync(out)).toEqual(Int32Array.of(1 + 3 + 5 + 6));
  });

  test("throws if the layout is not possible", async () => {
    await expect(matchLayout(queue, particle, { options: "-Dtags=tags[2]" })).rejects.toThrow(StructLayoutError);
  });
});

/** Types that every device supports. Half cannot be a member and double is an extension. */
const double = device.hasExtension("cl_khr_fp64") ? "float64 double2" : "float2";
const simple = [
  "int8 uint8 int16 uint16 int32 uint32 int64 uint64 float32 bool complex64",
  "char2 uchar3 short4 ushort8 int2 uint3 long2 float3 float4 float8 float32x16",
  double,
].flatMap((names) => names.split(" "));

const fieldType = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...simple) as fc.Arbitrary<FieldLike> },
  fc.tuple(fc.constantFrom(...simple), fc.integer({ min: 1, max: 3 })) as fc.Arbitrary<FieldLike>,
  fc.tuple(
    fc.constantFrom(...simple),
    fc.integer({ min: 1, max: 3 }),
    fc.integer({ min: 1, max: 2 }),
  ) as fc.Arbitrary<FieldLike>,
);

const fields = (type: fc.Arbitrary<FieldLike>): fc.Arbitrary<Record<string, FieldLike>> =>
  fc
    .array(type, { minLength: 1, maxLength: 6 })
    .map((types) => Object.fromEntries(types.map((one, i) => [`field${i}`, one])));

const innerStruct = fc
  .tuple(fields(fieldType), fc.boolean())
  .map(([list, packed]) => structType("inner", list, { packed }));

const anyStruct = fc
  .tuple(
    innerStruct.chain((inner) =>
      fields(fc.oneof({ weight: 3, arbitrary: fieldType }, fc.constantFrom<FieldLike>(inner, [inner, 2]))),
    ),
    fc.boolean(),
  )
  .map(([list, packed]) => structType("outer", list, { packed }));

/** Returns a value with different numbers in each field, and the value read back. */
function valueOf(struct: StructType, seed: number): [given: DTypeValue, back: DTypeValue] {
  let next = seed;
  const one = (type: DType): [DTypeValue, DTypeValue] => {
    if (type instanceof StructType) return valueOf(type, next++);
    const { right } = samplesOf(type);
    return [...(right[next++ % right.length] as [DTypeValue, DTypeValue])];
  };
  const many = (type: DType, [extent, ...rest]: readonly number[]): [DTypeValue, DTypeValue] => {
    if (extent === undefined) return one(type);
    const list = Array.from({ length: extent }, () => many(type, rest));
    return [list.map(([given]) => given), list.map(([, back]) => back)];
  };
  const entries = [...struct.fields.values()].map(({ name, type, shape }) => [name, many(type, shape)] as const);
  return [
    Object.fromEntries(entries.map(([name, [given]]) => [name, given])),
    Object.fromEntries(entries.map(([name, [, back]]) => [name, back])),
  ];
}

describe("random structs", () => {
  test("have the device's layout, and kernels copy their values field by field", { tags: "ci" }, async () => {
    await fc.assert(
      fc.asyncProperty(anyStruct, fc.nat({ max: 100 }), async (struct, seed) => {
        await verifyLayout(queue, struct);
        const [given, back] = valueOf(struct, seed);
        const copies = [...struct.fields.values()].map(({ name, shape }) => copyField(name, shape)).join("\n");
        const kernel = kernelOf(`${struct.cDeclaration}
          __kernel void copy(__global const outer *from, __global outer *to) {
            ${copies}
          }`);
        const from = ElementArray.from(struct, [given]);
        expect(from.get(0)).toEqual(back);
        const to = new DeviceBuffer(context, struct.itemSize);
        kernel.launch(queue, { global: 1 }, DeviceBuffer.from(context, from.array), to);
        expect(struct.get(new DataView((await queue.read(to, Uint8Array)).buffer), 0)).toEqual(back);
      }),
      { numRuns: caseCount(25) },
    );
  });

  test("have aligned fields that do not overlap", () => {
    fc.assert(
      fc.property(anyStruct, (struct) => {
        let end = 0;
        for (const { offset, bytes, type } of struct.fields.values()) {
          expect(offset).toBeGreaterThanOrEqual(end);
          if (!struct.packed) expect(offset % type.alignment).toBe(0);
          end = offset + bytes;
        }
        expect(struct.itemSize % struct.alignment).toBe(0);
        expect(struct.itemSize).toBeGreaterThanOrEqual(end);
      }),
    );
  });
});

/** Returns C code that copies a field element by element, because C cannot assign arrays. */
function copyField(name: string, [extent, ...rest]: readonly number[]): string {
  if (extent === undefined) return `to->${name} = from->${name};`;
  return Array.from({ length: extent }, (_, i) => copyField(`${name}[${i}]`, rest)).join("\n");
}
