import {
  CommandQueue,
  Context,
  type Device,
  DeviceBuffer,
  ElementArray,
  Program,
  StructLayoutError,
  structType,
  verifyLayout,
} from "@cl/core";
import { matchStruct, type StructFields } from "@cl/tools";
import { describe, expect, test } from "vitest";

const context = Context.create();
const queue = new CommandQueue(context);
const [device] = context.devices as [Device];

describe("fields may be given", () => {
  const expected = structType("p", { x: "float3", n: ["int32", 2, 3], c: "uint8" });
  test.each<[string, StructFields]>([
    ["as structType takes them", { x: "float3", n: ["int32", 2, 3], c: "uint8" }],
    [
      "as NumPy lists them",
      [
        ["x", "float3"],
        ["n", "i4", [2, 3]],
        ["c", "u1"],
      ],
    ],
    [
      "with empty shapes",
      [
        ["x", "float3", []],
        ["n", "i4", [2, 3]],
        ["c", Uint8Array],
      ],
    ],
  ])("%s", async (_, fields) => {
    const there = await matchStruct(context, "p", fields);
    expect(there.equals(expected)).toBe(true);
    await expect(verifyLayout(context, there)).resolves.toBeUndefined();
  });

  test("with structs inside, which are named after their fields", async () => {
    const there = await matchStruct(queue, "outer", {
      id: "int64",
      pair: { a: "int8", b: "float32" },
      all: [
        [
          ["v", "float2"],
          ["w", "uint16"],
        ],
        3,
      ],
      known: structType("known", { z: "complex64" }),
      listed: [["q", "int32", 2]],
    });
    expect(there.structs.map(({ name }) => name)).toEqual([
      "outer_pair",
      "outer_all",
      "known",
      "outer_listed",
      "outer",
    ]);
    expect(there.offsetOf("all[2].w")).toBe(there.offsetOf("all") + 2 * 16 + 8);
  });

  test("and packed", async () => {
    const there = await matchStruct(device, "tight", { a: "char", inner: { b: "char", c: "int" } }, { packed: true });
    expect([there.itemSize, there.offsetOf("inner.c")]).toEqual([6, 2]);
  });
});

test("a device is asked once, and equal questions have the same answer", async () => {
  const [one, two] = await Promise.all([
    matchStruct(context, "asked", { a: "int32" }),
    matchStruct(context, "asked", [["a", "i4"]]),
  ]);
  expect(one).toBe(two);
  expect(await matchStruct(context, "asked", { a: "float32" })).not.toBe(one);
});

test("values that the host writes are where the device reads them, whatever its compiler does", async () => {
  const options = ["-Dstruct=struct __attribute__((packed))"];
  const there = await matchStruct(
    queue,
    "mixed",
    [
      ["c", "int8"],
      ["v", "int32", 2],
      ["l", "int64"],
    ],
    { options },
  );
  expect(there.itemSize).toBe(17);
  const values = ElementArray.from(there, [{ c: 1, v: [2, 3], l: 4n }]);
  const memory = DeviceBuffer.from(context, values.array);
  const out = DeviceBuffer.empty(context, BigInt64Array, 1);
  const source = `${there.cDeclaration}
    __kernel void sum(__global const mixed *x, __global long *out) { out[0] = x->c + x->v[0] + x->v[1] + x->l; }`;
  const program = await new Program(context, source).build({ options });
  program.kernel("sum").launch(queue, { global: 1 }, ...([memory, out] as never[]));
  expect(await queue.read(out)).toEqual(BigInt64Array.of(10n));
});

test("an answer that cannot be is an error, not a guess", async () => {
  await expect(
    matchStruct(queue, "odd", { mass: "float32", tags: ["int32", 4] }, { options: "-Dtags=tags[2]" }),
  ).rejects.toThrow(StructLayoutError);
});

test("the wait ends with the signal, for this caller alone", async () => {
  const reason = new Error("enough");
  const fields = { late: "int32" } as const;
  const aborted = matchStruct(context, "late_struct", fields, { signal: AbortSignal.abort(reason) });
  const other = matchStruct(context, "late_struct", fields);
  await expect(aborted).rejects.toBe(reason);
  expect((await other).itemSize).toBe(4);
  const controller = new AbortController();
  const later = matchStruct(context, "later_struct", fields, { signal: controller.signal });
  controller.abort(reason);
  await expect(later).rejects.toBe(reason);
});

test.each<[RegExp, readonly unknown[]]>([
  [/^target must be a Device, a CommandQueue or a Context/, [1, "a", { x: "f4" }]],
  [/^name must be a string/, [context, 1, { x: "f4" }]],
  [/^name must be a name that means nothing else/, [context, "float", { x: "f4" }]],
  [/^fields must be an object/, [context, "a", "x"]],
  [/^fields must be an object/, [context, "a", null]],
  [/^fields must be an object with at least one field/, [context, "a", {}]],
  [/^fields must be an object with at least one field/, [context, "a", []]],
  [/^fields.x must be/, [context, "a", { x: "nothing" }]],
  [/^fields\.x\[1\] must be/, [context, "a", { x: ["f4", 0] }]],
  [/^the field "a b" of fields must be a name in C/, [context, "a", { "a b": "f4" }]],
  [/^the field "1" of fields.inner must be/, [context, "a", { inner: { 1: "f4" } }]],
  [
    /^fields must be different names, but "x" comes twice/,
    [
      context,
      "a",
      [
        ["x", "f4"],
        ["x", "f4"],
      ],
    ],
  ],
  [/^fields\[0\] must be a name, a type and perhaps a shape/, [context, "a", ["x"]]],
  [/^fields\[0\] must be a name, a type/, [context, "a", [["x"]]]],
  [
    /^fields\[1\]\[0\] must be a name: padding is left out/,
    [
      context,
      "a",
      [
        ["x", "f4"],
        ["", "V4"],
      ],
    ],
  ],
  [/^fields\.pad must be left out where it is padding/, [context, "a", { pad: "|V4" }]],
  [/^options must be an object/, [context, "a", { x: "f4" }, 1]],
  [/^options.packed must be true or false/, [context, "a", { x: "f4" }, { packed: 1 }]],
  [/^options must be/, [context, "a", { x: "f4" }, { options: 1 }]],
  [/^signal must be an AbortSignal/, [context, "a", { x: "f4" }, { signal: 1 }]],
])("wrong arguments are named: %s", async (message, args) => {
  await expect(matchStruct(...(args as Parameters<typeof matchStruct>))).rejects.toThrow(message);
});
