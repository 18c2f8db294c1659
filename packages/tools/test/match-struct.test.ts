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
import { errorLike } from "@cl/testing/error-like";
import { matchStruct, type StructFields } from "@cl/tools";
import { describe, expect, test } from "vitest";

const context = Context.create();
const queue = new CommandQueue(context);
const [device] = context.devices as [Device];

describe("matchStruct accepts fields", () => {
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

  test("with nested structs, which are named after their fields", async () => {
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

  test("of packed structs", async () => {
    const there = await matchStruct(device, "tight", { a: "char", inner: { b: "char", c: "int" } }, { packed: true });
    expect([there.itemSize, there.offsetOf("inner.c")]).toEqual([6, 2]);
  });
});

test("matchStruct queries a device once and returns the same result for equal arguments", async () => {
  const [one, two] = await Promise.all([
    matchStruct(context, "asked", { a: "int32" }),
    matchStruct(context, "asked", [["a", "i4"]]),
  ]);
  expect(one).toBe(two);
  expect(await matchStruct(context, "asked", { a: "float32" })).not.toBe(one);
});

test("values written by the host are at the offsets that the device's compiler uses", async () => {
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

test("matchStruct rejects an impossible layout from the device", async () => {
  await expect(
    matchStruct(queue, "odd", { mass: "float32", tags: ["int32", 4] }, { options: "-Dtags=tags[2]" }),
  ).rejects.toThrow(StructLayoutError);
});

test("an aborted signal ends the wait only for its caller", async () => {
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

test.each<[Error | RegExp, readonly unknown[]]>([
  [errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "target"), [1, "a", { x: "f4" }]],
  [errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "name"), [context, 1, { x: "f4" }]],
  [errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "name"), [context, "float", { x: "f4" }]],
  [errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "fields"), [context, "a", "x"]],
  [errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "fields"), [context, "a", null]],
  [errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "fields"), [context, "a", {}]],
  [errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "fields"), [context, "a", []]],
  [errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "fields.x"), [context, "a", { x: "nothing" }]],
  [errorLike(RangeError, "ERR_OUT_OF_RANGE", "fields.x[1]"), [context, "a", { x: ["f4", 0] }]],
  [errorLike(TypeError, "ERR_INVALID_ARG_TYPE"), [context, "a", { "a b": "f4" }]],
  [errorLike(TypeError, "ERR_INVALID_ARG_TYPE"), [context, "a", { inner: { 1: "f4" } }]],
  [
    errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "fields"),
    [
      context,
      "a",
      [
        ["x", "f4"],
        ["x", "f4"],
      ],
    ],
  ],
  [errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "fields[0]"), [context, "a", ["x"]]],
  [errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "fields[0]"), [context, "a", [["x"]]]],
  [
    errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "fields[1][0]"),
    [
      context,
      "a",
      [
        ["x", "f4"],
        ["", "V4"],
      ],
    ],
  ],
  [errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "fields.pad"), [context, "a", { pad: "|V4" }]],
  [errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options"), [context, "a", { x: "f4" }, 1]],
  [errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options.packed"), [context, "a", { x: "f4" }, { packed: 1 }]],
  [errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options"), [context, "a", { x: "f4" }, { options: 1 }]],
  [errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "signal"), [context, "a", { x: "f4" }, { signal: 1 }]],
])("matchStruct names the wrong argument: %s", async (message, args) => {
  await expect(matchStruct(...(args as Parameters<typeof matchStruct>))).rejects.toThrow(message);
});
