/** Array files: exchange with NumPy, partial reads and writes, and errors for invalid files. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { crc32, deflateRawSync } from "node:zlib";

import { CommandQueue, Context, DisposedError, type SliceIndex, structType } from "@cl/core";
import { arrays, type DeviceArray, type DTypeName, RecordArray } from "@cl/array";
import { array as arrayOf, assert as assertAll, asyncProperty, nat, tuple } from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { pooled } from "./support/pooled.js";

import { xp } from "./support/device.js";
import { python as interpreter } from "@cl/testing/python";
import { needsNumPy } from "./support/numpy.js";
import { errorLike, outOfRange, wrongState, wrongType, wrongValue } from "@cl/testing/error-like";
import { caseCount, sample } from "@cl/testing/level";
import { unhandledRejections } from "./support/unhandled-rejections.js";

const folder = mkdtempSync(join(tmpdir(), "arrays-"));
afterAll(() => {
  rmSync(folder, { recursive: true });
});
const at = (name: string): string => join(folder, name);

const python = (code: string): string =>
  execFileSync(interpreter, ["-c", `import numpy as np\nd = ${JSON.stringify(folder)} + "/"\n${code}`]).toString();

const all = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128";
const types = sample(all.split(" ") as DTypeName[], 3);
const shapes = [[], [0], [1], [7], [3, 0], [2, 3, 4]] as const;

/** Elements whose bytes count up. */
function counted(dtype: DTypeName, shape: readonly number[]): DeviceArray {
  const { itemSize } = xp.empty([], { dtype }).dtype;
  const bytes = Uint8Array.from({ length: shape.reduce((a, b) => a * b, itemSize) }, (_, i) =>
    dtype === "bool" ? i % 2 : i % 50,
  );
  return xp.fromHost(bytes, { dtype, shape });
}

async function bytesOf(array: DeviceArray): Promise<string> {
  const { buffer, byteOffset, byteLength } = await array.data();
  return Buffer.from(buffer, byteOffset, byteLength).toString("hex");
}

/** A .npy file of a header and the bytes that follow. */
const withHeader = (text: string, data: number | Uint8Array = 0): Buffer =>
  Buffer.concat([
    Buffer.from([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, text.length, text.length >> 8]),
    Buffer.from(text, "latin1"),
    typeof data === "number" ? Buffer.alloc(data) : data,
  ]);
const header = (shape: string, descr = "'<f4'", order = "False"): string =>
  `{'descr': ${descr}, 'fortran_order': ${order}, 'shape': ${shape}, }\n`;

/** An archive with any names, and compressed data that may declare a wrong size. */
function archiveOf(files: Readonly<Record<string, Buffer>>, declaredSize?: number): Buffer {
  const [entries, list]: [Buffer[], Buffer[]] = [[], []];
  let offset = 0;
  for (const [name, bytes] of Object.entries(files)) {
    const data = declaredSize === undefined ? bytes : deflateRawSync(bytes);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(declaredSize === undefined ? 0 : 8, 4);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(declaredSize ?? bytes.length, 18);
    common.writeUInt16LE(name.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    list.push(Buffer.from("PK\x01\x02\x14\0", "latin1"), common, place, Buffer.from(name));
    entries.push(Buffer.from("PK\x03\x04", "latin1"), common, Buffer.from(name), data);
    offset += 30 + name.length + data.length;
  }
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(Object.keys(files).length, 10);
  end.writeUInt32LE(Buffer.concat(list).length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...entries, ...list, end]);
}

describe("NumPy", () => {
  test("reads our files, for each dtype and shape", async (run) => {
    needsNumPy(run);
    const expected: string[] = [];
    for (const dtype of types) {
      for (const [i, shape] of shapes.entries()) {
        const array = counted(dtype, shape);
        await xp.save(at(`w-${dtype}-${i}.npy`), array);
        expected.push(`${dtype} (${shape.join(", ")}${shape.length === 1 ? "," : ""}) ${await bytesOf(array)}`);
      }
    }
    const output = python(`
for t in ${JSON.stringify(types)}:
  for i in range(${shapes.length}):
    a = np.load(d + f"w-{t}-{i}.npy")
    print(a.dtype, a.shape, a.tobytes().hex())`);
    expect(output.trimEnd().split(/ *\n/u)).toEqual(expected.map((line) => line.trimEnd()));
  });

  test("its files are read, for each dtype, byte order, memory order and version", async (run) => {
    needsNumPy(run);
    const output = python(`
from numpy.lib import format
for t in ${JSON.stringify(types)}:
  for i, s in enumerate([(), (0,), (5,), (2, 3, 4), (3, 0)]):
    n = int(np.prod(s))
    a = (np.arange(n) % 2 if t == "bool" else np.arange(n) * (3 - 2j if t[0] == "c" else 3)).astype(t).reshape(s)
    for k, b in enumerate([a, a.copy(order="F"), a.astype(a.dtype.newbyteorder(">"))]):
      with open(d + f"r-{t}-{i}-{k}.npy", "wb") as f:
        format.write_array(f, b, version=[(1, 0), (2, 0), (3, 0)][k])
    print(a.tobytes().hex())`).split("\n");
    for (const [t, dtype] of types.entries()) {
      for (const [i, shape] of [[], [0], [5], [2, 3, 4], [3, 0]].entries()) {
        for (let k = 0; k < 3; k++) {
          const array = await xp.load(at(`r-${dtype}-${i}-${k}.npy`));
          expect([array.dtype.name, array.shape]).toEqual([dtype, shape]);
          expect(await bytesOf(array), `${dtype} ${i} ${k}`).toBe(output[t * 5 + i]);
        }
      }
    }
  });

  test("its archives are read and ours are read by it, compressed or not", { tags: "ci" }, async (run) => {
    needsNumPy(run);
    const arraysByName = {
      a: counted("float32", [1000]),
      "b/ü": counted("int8", [2, 3]),
      empty: counted("int64", [0]),
    };
    for (const compressed of [false, true]) {
      await xp.saveNpz(at(`w-${compressed}.npz`), arraysByName, { compressed });
      const output = python(`
z = np.load(d + "w-${compressed}.npz")
print([(n, str(z[n].dtype), z[n].shape, int(z[n].view("u1").sum())) for n in z.files])
import zipfile
assert zipfile.ZipFile(d + "w-${compressed}.npz").testzip() is None
np.${compressed ? "savez_compressed" : "savez"}(d + "r-${compressed}.npz", x=np.arange(100000.0), y=np.array([[True, False]]), z=np.float32(3))`);
      expect(output.trim()).toBe(
        "[('a', 'float32', (1000,), 98000), ('b/ü', 'int8', (2, 3), 15), ('empty', 'int64', (0,), 0)]",
      );
      const { x, y, z } = (await xp.loadNpz(at(`r-${compressed}.npz`))) as Record<string, DeviceArray>;
      expect(await x?.sum().item()).toBe(4999950000);
      expect(await y?.toNested()).toEqual([[true, false]]);
      expect(await z?.item()).toBe(3);
      const some = await xp.loadNpz(at(`r-${compressed}.npz`), { names: ["y"] });
      expect(Object.keys(some)).toEqual(["y"]);
      const own = await xp.loadNpz(at(`w-${compressed}.npz`));
      expect(Object.keys(own)).toEqual(["a", "b/ü", "empty"]);
    }
  });

  test("records match, with and without padding", { tags: "ci" }, async (run) => {
    needsNumPy(run);
    const output = python(`
t = np.dtype([("id", "u1"), ("x", "f4", (3,)), ("in", [("p", "i2"), ("q", "f8")])], align=True)
for name, u in (("aligned", t), ("packed", np.dtype([("id", "u1"), ("x", "f4", (3,)), ("p", ">i2")]))):
  a = np.zeros(2, u)
  a["id"] = [3, 4]
  a["x"][..., 1] = [5, 6]
  if name == "packed": a["p"] = [3, 400]
  np.save(d + name + ".npy", a)
print(t.itemsize)`);
    const aligned = await xp.loadRecords(at("aligned.npy"));
    expect([aligned.shape, aligned.itemSize]).toEqual([[2], Number(output)]);
    expect(await aligned.field("x").slice("...", 1).toNested()).toEqual([5, 6]);
    const packed = await (await xp.loadRecords(at("packed.npy"))).toNested();
    expect(packed).toEqual([
      { id: 3, x: [0, 5, 0], p: 3 },
      { id: 4, x: [0, 6, 0], p: 400 },
    ]);
    python(`
t = np.dtype([("a", ">i2", (2, 3)), ("p", [("x", ">i2"), ("y", ">u2"), ("z", ">i4")], (2,)), ("q", "u1", (4,)), ("c", ">c8")])
a = np.frombuffer(bytes(range(2 * t.itemsize)), t)
np.save(d + "big.npy", a)
np.save(d + "little.npy", a.astype(t.newbyteorder("<")))`);
    const [big, little] = [await xp.loadRecords(at("big.npy")), await xp.loadRecords(at("little.npy"))];
    expect(await big.toNested()).toEqual(await little.toNested());
    expect(await big.slice(0).field("a").toNested()).toEqual([[1, 515, 1029], [1543, 2057, 2571]]); // prettier-ignore
    const particle = structType("particle", { position: "float3", mass: "float64", tag: "int8" });
    const particles = xp.records(particle, [5]);
    particles.field("mass").assign(xp.arange(5));
    particles.field("position").slice("...", 2).assign(7);
    await xp.save(at("particles.npy"), particles);
    await xp.save(at("vectors.npy"), particles.record("position"));
    expect(
      python(`
a = np.load(d + "particles.npy")
print(a["mass"].tolist(), a["position"][:, 2].tolist(), a.dtype.itemsize, np.load(d + "vectors.npy").shape)`).trim(),
    ).toBe(`[0.0, 1.0, 2.0, 3.0, 4.0] [7.0, 7.0, 7.0, 7.0, 7.0] ${particle.itemSize} (5, 3)`);
    const loaded = await xp.loadRecords(at("particles.npy"));
    expect(await loaded.field("mass").data()).toEqual(Float64Array.of(0, 1, 2, 3, 4));
    await expect(xp.load(at("particles.npy"))).rejects.toThrow(errorLike(Error, "ERR_BAD_FILE"));
    await expect(xp.loadRecords(at("vectors.npy"))).rejects.toThrow(errorLike(Error, "ERR_BAD_FILE"));
  });
});

test("a view is saved with its elements at the time of the call", async () => {
  const a = xp.arange(24, { dtype: "int32" }).reshape([2, 3, 4]);
  const view = a.T.slice("::-1", ":", 1);
  const expected = await view.toNested();
  const saved = xp.save(pathToFileURL(at("view.npy")), view);
  a.assign(0);
  await saved;
  expect(await (await xp.load(at("view.npy"))).toNested()).toEqual(expected);
  const doubled = await xp.load(at("view.npy"), { dtype: "float32" });
  expect([doubled.dtype.name, await doubled.toNested()]).toEqual(["float32", expected]);
});

test("a file is written atomically and leaves no temporary file", async () => {
  await xp.save(at("same.npy"), xp.zeros([10]));
  await xp.save(at("same.npy"), xp.ones([3]));
  expect((await xp.load(at("same.npy"))).shape).toEqual([3]);
  await expect(xp.save(at("no/such/folder.npy"), xp.ones([3]))).rejects.toThrow(errorLike(Error, "ENOENT"));
  await expect(xp.save(at("same.npy"), xp.ones([3]), { signal: AbortSignal.abort() })).rejects.toThrow(
    expect.objectContaining({ name: "AbortError" }),
  );
  expect((await xp.load(at("same.npy"))).shape).toEqual([3]);
  expect(readdirSync(folder).filter((name) => name.endsWith(".tmp"))).toEqual([]);
});

describe("a file larger than memory", () => {
  test("is read in parts, in either order", { tags: "ci" }, async () => {
    const a = xp.arange(60, { dtype: "float32" }).reshape([5, 4, 3]);
    await xp.save(at("c.npy"), a);
    const header = "{'descr': '>f4', 'fortran_order': True, 'shape': (5, 4, 3), }".padEnd(117) + "\n";
    const flat = Float32Array.from(await a.T.data());
    const swapped = Buffer.from(flat.buffer).swap32();
    writeFileSync(at("f.npy"), Buffer.concat([Buffer.from("\x93NUMPY\x01\x00v\x00" + header, "latin1"), swapped]));
    for (const [name, axis] of [
      ["c.npy", 0],
      ["f.npy", 2],
    ] as const) {
      await using file = await xp.openNpy(at(name));
      expect([file.shape, file.dtype.name, file.axis]).toEqual([[5, 4, 3], "float32", axis]);
      for (const indices of [
        [],
        [2],
        [[1, 4]],
        ["::-2", ":", 1],
        ["...", [0, 2]],
        [1, 2, 0],
        ["3:3"],
        [":", null, "1::2"],
      ] as const) {
        const part = (await file.read(...(indices as readonly SliceIndex[]))) as DeviceArray;
        const expected = a.slice(...(indices as readonly SliceIndex[]));
        expect(part.shape).toEqual(expected.shape);
        expect(await part.toNested(), `${name} ${String(indices)}`).toEqual(await expected.toNested());
      }
      const sizes: number[] = [];
      let sum = 0;
      for await (const part of file.chunks(2)) {
        sizes.push(part.shape[axis] as number);
        sum += await (part as DeviceArray<"float32">).sum().item();
      }
      expect(sizes).toEqual(axis === 0 ? [2, 2, 1] : [2, 1]);
      expect(sum).toBe((59 * 60) / 2);
      await expect(file.read(7)).rejects.toThrow(outOfRange("indices[0]"));
    }
  });

  test("is written row by row and exists once closed", async () => {
    const file = await xp.createNpy(at("rows.npy"), { rowShape: [2, 3], dtype: "int16" });
    const row = counted("int16", [2, 3]);
    const rows = counted("int16", [4, 2, 3]);
    await Promise.all([
      file.append(row),
      file.append(rows),
      file.append(rows.slice("::-1")),
      file.append(rows.slice(":0")),
    ]);
    const other = arrays(new CommandQueue(Context.create()));
    const one = structType("one", { a: "int16" });
    const [type, value] = ["ERR_INVALID_ARG_TYPE", "ERR_INVALID_ARG_VALUE"];
    for (const [wrong, error] of [
      [undefined, errorLike(TypeError, type, "array")],
      [[1, 2], errorLike(TypeError, type, "array")],
      [other.zeros([2, 3], { dtype: "int16" }), errorLike(TypeError, value)],
      [other.records(one, [2, 3]), errorLike(TypeError, value)],
      [counted("int16", [3, 2]), outOfRange()],
      [counted("int32", [2, 3]), errorLike(TypeError, type)],
    ] as const) {
      await expect(file.append(wrong as never)).rejects.toThrow(error);
    }
    expect(file.rows).toBe(9);
    expect(() => statSync(at("rows.npy"))).toThrow(errorLike(Error, "ENOENT"));
    await file.close();
    await expect(file.append(row)).rejects.toThrow(wrongState());
    const all = await xp.load(at("rows.npy"));
    expect(all.shape).toEqual([9, 2, 3]);
    expect(await all.slice(0).toNested()).toEqual(await row.toNested());
    expect(await all.slice("1:5").toNested()).toEqual(await rows.toNested());
    expect(await all.slice("8:4:-1").toNested()).toEqual(await rows.toNested());
  });

  test("does not exist if it was disposed before it was closed, or discarded", async () => {
    {
      await using file = await xp.createNpy(at("gone.npy"));
      await file.append(xp.zeros([5]));
    }
    const file = await xp.createNpy(at("gone-too.npy"));
    await file.append(xp.zeros([3]));
    await file.discard();
    expect(readdirSync(folder).filter((name) => name.startsWith("gone"))).toEqual([]);
    const pair = structType("pair", { a: "int32", b: "float32" });
    await using records = await xp.createNpy(at("records.npy"), { dtype: pair });
    const pairs = xp.records(pair, [3]);
    await records.append(pairs);
    await records.append(pairs.slice(0));
    await records.close();
    await using opened = await xp.openNpy(at("records.npy"));
    expect(await opened.read("1:3")).toBeInstanceOf(RecordArray);
    expect(opened.shape).toEqual([4]);
  });
});

describe("names in an archive", () => {
  const { pool, xp: own } = pooled();
  const itemsOf = async (name: string, names?: readonly string[]): Promise<Record<string, unknown>> => {
    const items: Record<string, unknown> = {};
    const loaded = await own.loadNpz(at(name), names === undefined ? {} : { names });
    for (const [key, array] of Object.entries(loaded)) {
      items[key] = await (array as DeviceArray).toNested();
      array.release();
    }
    expect(pool.activeBytes).toBe(0);
    return items;
  };

  test("may end like file names", async () => {
    const arraysByName = { a: xp.full([], 1), "a.npy": xp.full([], 2), "a.npy.npy": xp.full([], 3) };
    await xp.saveNpz(at("ends.npz"), arraysByName);
    expect(await itemsOf("ends.npz")).toEqual({ a: 1, "a.npy": 2, "a.npy.npy": 3 });
    expect(await itemsOf("ends.npz", ["a.npy"])).toEqual({ "a.npy": 2 });
    await xp.saveNpz(at("one.npz"), { a: arraysByName.a });
    expect(await itemsOf("one.npz", ["a.npy"])).toEqual({ "a.npy": 1 });
  });

  test("name different arrays if one lacks .npy", async () => {
    const bytes = (value: number): Buffer => withHeader(header("()", "'|u1'"), Uint8Array.of(value));
    writeFileSync(
      at("clash.npz"),
      archiveOf({ "a.npy.npy": bytes(3), "b.npy": bytes(4), "a.npy": bytes(2), a: bytes(1) }),
    );
    const all = { "a.npy.npy": 3, b: 4, "a.npy": 2, a: 1 };
    expect(Object.entries(await itemsOf("clash.npz"))).toEqual(Object.entries(all));
    for (const [name, value] of Object.entries(all)) {
      expect(await itemsOf("clash.npz", [name])).toEqual({ [name]: value });
    }
  });

  test("are loaded once each", async () => {
    await xp.saveNpz(at("twice.npz"), { a: xp.full([], 1), b: xp.full([], 2) });
    expect(await itemsOf("twice.npz", ["a", "b", "a"])).toEqual({ a: 1, b: 2 });
  });
});

test("an archive of many arrays is read without a warning", { tags: "ci" }, async () => {
  const warnings: Error[] = [];
  const recordWarning = (warning: Error): void => void warnings.push(warning);
  process.on("warning", recordWarning);
  const names = Array.from({ length: 20 }, (_, i) => `a${i}`);
  const a = xp.arange(30_000, { dtype: "int32" });
  await xp.saveNpz(at("many.npz"), Object.fromEntries(names.map((name) => [name, a])), { compressed: true });
  const loaded = await xp.loadNpz(at("many.npz"));
  await setImmediate();
  process.off("warning", recordWarning);
  expect([Object.keys(loaded), warnings]).toEqual([names, []]);
  expect(await bytesOf(loaded["a19"] as DeviceArray)).toBe(await bytesOf(a));
});

test("a failed append leaves the file usable", async () => {
  await using file = await xp.createNpy(at("goes-on.npy"), { dtype: "int32" });
  const a = xp.arange(3, { dtype: "int32" });
  const released = a.copy();
  released.release();
  await expect(file.append(released)).rejects.toThrow(DisposedError);
  await expect(file.append(a, { signal: AbortSignal.abort() })).rejects.toThrow(
    expect.objectContaining({ name: "AbortError" }),
  );
  await file.append(a);
  await file.close();
  expect(await (await xp.load(at("goes-on.npy"))).toNested()).toEqual([0, 1, 2]);
});

test("an error while writing an archive rejects only the caller's promise", async () => {
  const [a, b] = [xp.zeros([3]), xp.records("float4", [2])];
  a.release();
  b.release();
  const saved = async (): Promise<void> => {
    await expect(xp.saveNpz(at("released.npz"), { a, b })).rejects.toThrow(errorLike(DisposedError, "ERR_CL_DISPOSED"));
  };
  expect(await unhandledRejections(saved)).toEqual([]);
});

describe("an invalid file", () => {
  const { pool, xp: own } = pooled();
  const bad = errorLike(Error, "ERR_BAD_FILE");
  const loading = async (bytes: Uint8Array, name = "bad.npy"): Promise<unknown> => {
    writeFileSync(at(name), bytes);
    try {
      return await (name.endsWith("z") ? own.loadNpz(at(name)) : own.load(at(name)));
    } finally {
      expect(pool.activeBytes).toBe(0);
    }
  };
  const start = (text: string): Buffer => Buffer.from(text, "latin1");
  const big = (extents: string): string => header("(0,)", `[('a', '>f8', (${extents},))]`);
  const mixed = (count: number): string => `('p${count}', [('x', '>f8'), ('y', '>i4'), ('z', '<i4')], (${count},))`;

  test.each([
    ["no bytes", Buffer.alloc(0)],
    ["another magic string", Buffer.from("hello world, this is text")],
    ["an unknown version", Buffer.concat([start("\x93NUMPY\x09\x00"), Buffer.alloc(9)])],
    ["a header longer than the file", start("\x93NUMPY\x01\x00\xff\xff{}")],
    ["a header longer than the file in version 2", start("\x93NUMPY\x02\x00\xff\xff\xff\xff{}")],
    ["a dtype that does not exist", withHeader(header("(1,)", "'<f3'"), 12)],
    ["texts", withHeader(header("(1,)", "'<U3'"), 12)],
    ["Python objects", withHeader(header("(1,)", "'|O'"), 8)],
    ["dates", withHeader(header("(1,)", "'<M8[s]'"), 8)],
    ["two fields of a name", withHeader(header("(1,)", "[('a', '<f4'), ('a', '<f4')]"), 8)],
    ["a field that is no identifier", withHeader(header("(1,)", "[('no identifier', '<f4')]"), 4)],
    ["a field named __proto__", withHeader(header("(1,)", "[('__proto__', '<f4')]"), 9)],
    ["fields at odd offsets", withHeader(header("(0,)", "[('a', '|u1'), ('', '|V2'), ('b', '<f8'), ('', '|V6')]"))],
    ["large records", withHeader(big("1000000000"))],
    ["records with many axes", withHeader(big("9007199254740991, ".repeat(24) + "1"))],
    [
      "records with large fields",
      withHeader(header("(0,)", "[('a', '>i4', (400000000,)), ('b', '|u1', (2000000000,))]")),
    ],
    ["many big-endian numbers", withHeader(header("(0,)", `[${mixed(32_769)}]`))],
    ["many big-endian numbers in two fields", withHeader(header("(0,)", `[${mixed(16_384)}, ${mixed(16_385)}]`))],
    ["records of the largest size", withHeader(big("200000000"))],
    ["as many big-endian numbers as allowed", withHeader(header("(0,)", `[${mixed(32_768)}]`))],
    ["too few bytes", withHeader(header("(3,)"), 11)],
    ["too many bytes", withHeader(header("(3,)"), 13)],
    ["an impossible size", withHeader(header("(1000000, 1000000, 1000000)"), 100)],
    ["a size beyond 2^53", withHeader(header("(9007199254740991, 9007199254740991)"), 100)],
    ...[
      "",
      "{",
      "__import__('os').system('false')",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (3,)",
      "{'descr': '<f4', 'fortran_order': False}",
      "{'descr': '<f4', 'fortran_order': 0, 'shape': (3,)}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), 'more': 1}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (-3,)}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': 3}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': [3]}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (1e3,)}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}",
      "[".repeat(5000),
    ].map((text) => [`the header ${text.slice(0, 80)}`, withHeader(text, 12)] as const),
  ] as const)("with %s is rejected", async (_name, bytes) => {
    await expect(loading(bytes)).rejects.toThrow(bad);
  });

  test("with records at odd offsets is rejected as records, too", async () => {
    writeFileSync(at("odd.npy"), withHeader(header("(0,)", "[('a', '|u1'), ('', '|V2'), ('b', '<f8'), ('', '|V6')]")));
    await expect(xp.loadRecords(at("odd.npy"))).rejects.toThrow(bad);
  });

  test("is detected in a modified archive", async () => {
    await xp.saveNpz(at("good.npz"), { a: counted("float32", [500]), b: counted("int8", [3]) }, { compressed: true });
    const good = readFileSync(at("good.npz"));
    await expect(loading(Buffer.from("no archive at all, but a text"), "bad.npz")).rejects.toThrow(bad);
    for (let cut = 1; cut < good.length; cut += 7) {
      await expect(loading(good.subarray(0, good.length - cut), "bad.npz")).rejects.toThrow(bad);
    }
    const wrong = Buffer.from(good);
    wrong[100] = (wrong[100] as number) ^ 0x55;
    await expect(loading(wrong, "bad.npz")).rejects.toThrow(bad);
    await xp.saveNpz(at("plain.npz"), { a: counted("float32", [500]) });
    const plain = readFileSync(at("plain.npz"));
    plain[500] = (plain[500] as number) ^ 1;
    await expect(loading(plain, "bad.npz")).rejects.toThrow(bad);
    await expect(xp.loadNpz(at("good.npz"), { names: ["a", "c"] })).rejects.toThrow(outOfRange());
  });

  test("is detected in an archive with impossible sizes, before memory is allocated", { tags: "ci" }, async () => {
    const text = header("(50000000,)", "'|u1'");
    const one = withHeader(text, 100);
    const before = pool.managedBytes;
    const declaredSize = one.length - 100 + 50_000_000;
    await expect(loading(archiveOf({ "a.npy": one }, declaredSize), "bad.npz")).rejects.toThrow(bad);
    expect(pool.managedBytes).toBe(before);
    // The highest compression ratio that is read.
    await own.saveNpz(at("zeros.npz"), { a: xp.zeros([4_000_000], { dtype: "uint8" }) }, { compressed: true });
    expect(statSync(at("zeros.npz")).size).toBeLessThan(4300);
    for (const array of Object.values(await own.loadNpz(at("zeros.npz")))) {
      expect(array.shape).toEqual([4_000_000]);
      array.release();
    }
  });

  test("with random bytes changed throws our error or returns an array", { timeout: 240_000, tags: "ci" }, async () => {
    await xp.saveNpz(at("seed.npz"), { a: counted("int16", [40]), b: counted("uint8", [5]) }, { compressed: true });
    await xp.save(at("seed.npy"), counted("int16", [2, 20]));
    for (const name of ["seed.npy", "seed.npz"]) {
      const good = readFileSync(at(name));
      const change = tuple(nat(good.length - 1), nat(255));
      await assertAll(
        asyncProperty(arrayOf(change, { minLength: 1, maxLength: 4 }), async (changes) => {
          const bytes = Buffer.from(good);
          for (const [place, value] of changes) bytes[place] = value;
          writeFileSync(at(`x-${name}`), bytes);
          try {
            if (name.endsWith("z")) {
              for (const array of Object.values(await own.loadNpz(at(`x-${name}`)))) array.release();
            } else (await own.load(at(`x-${name}`))).release();
          } catch (error) {
            expect((error as { code?: string }).code, String(error)).toMatch(/^ERR_/);
          }
          expect(pool.activeBytes).toBe(0);
        }),
        { numRuns: caseCount(150) },
      );
    }
  });
});

test("rejects wrong arguments before anything is written", async () => {
  const a = xp.zeros([2]);
  for (const [call, sentence] of [
    [() => xp.save("", a), outOfRange("path")],
    [() => xp.save(7 as never, a), wrongType("path")],
    [() => xp.save(new URL("https://example.org/a.npy"), a), outOfRange("path")],
    [() => xp.save(at("x.npy"), [1] as never), wrongType("array")],
    [() => xp.load(at("x.npy"), { dtype: "float3" as never }), wrongType("options.dtype")],
    [() => xp.load(at("none.npy")), errorLike(Error, "ENOENT")],
    [() => xp.saveNpz(at("x.npz"), [a] as never), wrongType("arrays")],
    [() => xp.saveNpz(at("x.npz"), { a: 1 } as never), wrongType('arrays["a"]')],
    [() => xp.saveNpz(at("x.npz"), { "": a }), wrongValue()],
    [() => xp.saveNpz(at("x.npz"), { a }, { compressed: 1 as never }), wrongType("options.compressed")],
    [() => xp.loadNpz(at("x.npz"), { names: "a" as never }), wrongType("options.names")],
    [() => xp.createNpy(at("x.npy"), { dtype: "float4" }), wrongType("float32x4")],
  ] as const) {
    await expect(call()).rejects.toThrow(sentence);
  }
  expect(readdirSync(folder).filter((name) => name.startsWith("x."))).toEqual([]);
});
