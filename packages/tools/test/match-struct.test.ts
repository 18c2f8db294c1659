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
import { outOfRange, wrongType } from "@cl/testing/error-like";

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

test("an aborted signal ends the wait only for its caller", { tags: "ci" }, async () => {
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

test.each<[string | undefined, fields: unknown, options?: unknown]>([
  ["fields", "x"],
  ["fields", null],
  ["fields", {}],
  ["fields", []],
  ["fields.x", { x: "nothing" }],
  ["fields[0]", ["x"]],
  ["fields[0]", [["x"]]],
  ["fields.pad", { pad: "|V4" }],
  [undefined, { "a b": "f4" }],
  [undefined, { inner: { 1: "f4" } }],
  ["options", { x: "f4" }, 1],
  ["options.packed", { x: "f4" }, { packed: 1 }],
  ["options", { x: "f4" }, { options: 1 }],
  ["signal", { x: "f4" }, { signal: 1 }],
])("matchStruct names the wrong argument: %s (%#)", async (argument, fields, options) => {
  await expect(matchStruct(context, "a", fields as never, options as never)).rejects.toThrow(wrongType(argument));
});

test("matchStruct rejects an invalid context, name, padding, repeated name or extent", async () => {
  const x = ["x", "f4"];
  const reject = (...args: unknown[]) => matchStruct(...(args as Parameters<typeof matchStruct>));
  await expect(reject(1, "a", [x])).rejects.toThrow(wrongType("target"));
  await expect(reject(context, 1, [x])).rejects.toThrow(wrongType("name"));
  await expect(reject(context, "float", [x])).rejects.toThrow(wrongType("name"));
  await expect(reject(context, "a", [x, ["", "V4"]])).rejects.toThrow(wrongType("fields[1][0]"));
  await expect(reject(context, "a", [x, x])).rejects.toThrow(wrongType("fields"));
  await expect(matchStruct(context, "a", { x: ["f4", 0] })).rejects.toThrow(outOfRange("fields.x[1]"));
});
