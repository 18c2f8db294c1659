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
import { ImmediateAllocator, MemoryPool } from "@cl/tools";
import { array as arrayOf, assert as assertAll, asyncProperty, nat, tuple } from "fast-check";
import { afterAll, describe, expect, test } from "vitest";

import { needs } from "@cl/base/testing";
import { context, xp } from "./support/device.js";
import { python as interpreter } from "@cl/testing/python";
import { hasNumPy } from "./support/numpy.js";
import { errorLike } from "@cl/testing/error-like";
import { caseCount } from "@cl/testing/level";
import { unhandledRejections } from "./support/unhandled-rejections.js";

const noNumPy = "NumPy is not installed (apt install python3-numpy)";

const folder = mkdtempSync(join(tmpdir(), "arrays-"));
afterAll(() => {
  rmSync(folder, { recursive: true });
});
const at = (name: string): string => join(folder, name);

/** The output of a Python script. */
const python = (code: string): string =>
  execFileSync(interpreter, ["-c", `import numpy as np\nd = ${JSON.stringify(folder)} + "/"\n${code}`]).toString();

const types: readonly DTypeName[] =
  "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128".split(
    " ",
  ) as DTypeName[];
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
    needs(run, hasNumPy, noNumPy);
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
    expect(
      output
        .trimEnd()
        .split("\n")
        .map((line) => line.trimEnd()),
    ).toEqual(expected.map((line) => line.trimEnd()));
  });

  test("its files are read, for each dtype, byte order, memory order and version", async (run) => {
    needs(run, hasNumPy, noNumPy);
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

  test("its archives are read and ours are read by it, compressed or not", async (run) => {
    needs(run, hasNumPy, noNumPy);
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

  test("records match, with and without padding", async (run) => {
    needs(run, hasNumPy, noNumPy);
    const output = python(`
t = np.dtype([("id", "u1"), ("x", "f4", (3,)), ("in", [("p", "i2"), ("q", "f8")])], align=True)
for name, u in (("aligned", t), ("packed", np.dtype([("id", "u1"), ("x", "f4", (3,)), ("p", ">i2")]))):
  a = np.zeros((2, 2), u)
  a["id"] = [[1, 2], [3, 4]]
  a["x"][..., 1] = [[5, 6], [7, 8]]
  if name == "packed": a["p"] = [[1, 2], [3, 400]]
  np.save(d + name + ".npy", a)
print(t.itemsize)`);
    const aligned = await xp.loadRecords(at("aligned.npy"));
    expect([aligned.shape, aligned.itemSize]).toEqual([[2, 2], Number(output)]);
    expect(await aligned.field("x").slice("...", 1).toNested()).toEqual([
      [5, 6],
      [7, 8],
    ]);
    const packed = (await (await xp.loadRecords(at("packed.npy"))).toNested()) as { id: number; p: number }[][];
    expect(packed.map((row) => row.map(({ id, p }) => [id, p]))).toEqual([
      [
        [1, 1],
        [2, 2],
      ],
      [
        [3, 3],
        [4, 400],
      ],
    ]);
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
    expect(await (await xp.loadRecords(at("particles.npy"))).field("mass").data()).toEqual(
      Float64Array.of(0, 1, 2, 3, 4),
    );
    await expect(xp.load(at("particles.npy"))).rejects.toThrow(/loadRecords/);
    await expect(xp.loadRecords(at("vectors.npy"))).rejects.toThrow(/load\(\)/);
  });

  test("dtypes that arrays do not support are rejected by name", async (run) => {
    needs(run, hasNumPy, noNumPy);
    python(`
np.save(d + "text.npy", np.array(["abc"]))
np.save(d + "object.npy", np.array([{}]), allow_pickle=True)
np.save(d + "date.npy", np.array(["2020-01-01"], "M8[s]"))
np.save(d + "odd.npy", np.zeros(2, np.dtype({"names": ["a", "b"], "formats": ["u1", "f8"], "offsets": [0, 3], "itemsize": 17})))`);
    for (const name of ["text", "object", "date"]) {
      await expect(xp.load(at(`${name}.npy`))).rejects.toThrow(/dtype "[<|][UOM].*", which is not supported/);
    }
    await expect(xp.loadRecords(at("odd.npy"))).rejects.toThrow(/neither aligned like a C struct/);
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
  await expect(xp.save(at("same.npy"), xp.ones([3]), { signal: AbortSignal.abort() })).rejects.toThrow(/abort/i);
  expect((await xp.load(at("same.npy"))).shape).toEqual([3]);
  expect(readdirSync(folder).filter((name) => name.endsWith(".tmp"))).toEqual([]);
});

describe("a file larger than memory", () => {
  test("is read in parts, in either order", async () => {
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
      await expect(file.read(7)).rejects.toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE", "indices[0]"));
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
    for (const nothing of [undefined, null, 7, [1, 2]]) {
      await expect(file.append(nothing as never)).rejects.toThrow(
        errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "array"),
      );
    }
    await expect(file.append(other.zeros([2, 3], { dtype: "int16" }))).rejects.toThrow(
      errorLike(TypeError, "ERR_INVALID_ARG_VALUE"),
    );
    await expect(file.append(other.records(structType("one", { a: "int16" }), [2, 3]))).rejects.toThrow(
      errorLike(TypeError, "ERR_INVALID_ARG_VALUE"),
    );
    expect(file.rows).toBe(9);
    await expect(file.append(counted("int16", [3, 2]))).rejects.toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE"));
    await expect(file.append(counted("int32", [2, 3]))).rejects.toThrow(errorLike(TypeError, "ERR_INVALID_ARG_TYPE"));
    expect(() => statSync(at("rows.npy"))).toThrow(errorLike(Error, "ENOENT"));
    await file.close();
    await expect(file.append(row)).rejects.toThrow(errorLike(TypeError, "ERR_INVALID_STATE"));
    const all = await xp.load(at("rows.npy"));
    expect(all.shape).toEqual([9, 2, 3]);
    expect(await all.slice(0).toNested()).toEqual(await row.toNested());
    expect(await all.slice("1:5").toNested()).toEqual(await rows.toNested());
    expect(await all.slice("8:4:-1").toNested()).toEqual(await rows.toNested());
  });

  test("does not exist if it was disposed before it was closed", async () => {
    {
      await using file = await xp.createNpy(at("gone.npy"));
      await file.append(xp.zeros([5]));
    }
    expect(readdirSync(folder).filter((name) => name.startsWith("gone"))).toEqual([]);
    await using records = await xp.createNpy(at("records.npy"), {
      dtype: structType("pair", { a: "int32", b: "float32" }),
    });
    const pairs = xp.records(structType("pair", { a: "int32", b: "float32" }), [3]);
    await records.append(pairs);
    await records.append(pairs.slice(0));
    await records.close();
    await using opened = await xp.openNpy(at("records.npy"));
    expect(await opened.read("1:3")).toBeInstanceOf(RecordArray);
    expect(opened.shape).toEqual([4]);
  });
});

test("byte-swaps large big-endian fields, contiguous or not", async () => {
  const descr =
    "[('a', '>i2', (2, 3)), ('p', [('x', '>i2'), ('y', '>u2'), ('z', '>i4')], (2,)), ('q', '|u1', (4,)), ('c', '>c8')]";
  const bytes = Buffer.alloc(2 * 40);
  for (let i = 0; i < 2; i++) {
    let place = i * 40;
    for (let k = 0; k < 6; k++) place = bytes.writeInt16BE(10 * i + k, place);
    for (let k = 0; k < 2; k++) {
      place = bytes.writeUInt16BE(k + 7, bytes.writeInt16BE(-k, place));
      place = bytes.writeInt32BE(-k - i, place);
    }
    place = bytes.writeUInt32BE(0x01020304, place);
    bytes.writeFloatBE(2.5, bytes.writeFloatBE(i + 0.5, place));
  }
  writeFileSync(at("fields.npy"), withHeader(header("(2,)", descr), bytes));
  const records = await xp.loadRecords(at("fields.npy"));
  expect(await records.toNested()).toEqual(
    [0, 1].map((i) => ({
      a: [0, 1].map((row) => [0, 1, 2].map((k) => 10 * i + 3 * row + k)),
      p: [0, 1].map((k) => ({ x: k === 0 ? 0 : -1, y: k + 7, z: k + i === 0 ? 0 : -k - i })),
      q: [1, 2, 3, 4],
      c: { re: i + 0.5, im: 2.5 },
    })),
  );
});

describe("names in an archive", () => {
  const pool = new MemoryPool(new ImmediateAllocator(new CommandQueue(context)));
  const own = arrays(new CommandQueue(context), { allocator: pool });
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

test("an archive of many arrays is read without a warning", async () => {
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
  await expect(file.append(a, { signal: AbortSignal.abort() })).rejects.toThrow("aborted");
  await file.append(a);
  await file.close();
  expect(await (await xp.load(at("goes-on.npy"))).toNested()).toEqual([0, 1, 2]);
});

test("a discarded file leaves nothing", async () => {
  const file = await xp.createNpy(at("discarded.npy"), { dtype: "int32" });
  await file.append(xp.arange(3, { dtype: "int32" }));
  await file.discard();
  expect(readdirSync(folder).filter((name) => name.includes("discarded"))).toEqual([]);
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
  const pool = new MemoryPool(new ImmediateAllocator(new CommandQueue(context)));
  const own = arrays(new CommandQueue(context), { allocator: pool });
  const refused = async (bytes: Uint8Array, name = "bad.npy"): Promise<string> => {
    writeFileSync(at(name), bytes);
    const error: unknown = await (name.endsWith("z") ? own.loadNpz(at(name)) : own.load(at(name))).then(
      () => "loaded",
      (reason: unknown) => reason,
    );
    expect(pool.activeBytes).toBe(0);
    expect(error).toBeInstanceOf(Error);
    expect((error as { code?: string }).code).toBe("ERR_BAD_FILE");
    return (error as Error).message.replace(at(name), "it");
  };

  test("is detected by its magic string, version and length", async () => {
    expect(await refused(Buffer.alloc(0))).toMatch(/0 bytes/);
    expect(await refused(Buffer.from("hello world, this is text"))).toMatch(/magic string/);
    expect(await refused(Buffer.concat([Buffer.from("\x93NUMPY\x09\x00", "latin1"), Buffer.alloc(9)]))).toMatch(
      /version 9\.0/,
    );
    expect(await refused(Buffer.from("\x93NUMPY\x01\x00\xff\xff{}", "latin1"))).toMatch(/header has 65535 bytes/);
    expect(await refused(Buffer.from("\x93NUMPY\x02\x00\xff\xff\xff\xff{}", "latin1"))).toMatch(
      /header has 4294967295 bytes/,
    );
  });

  test("is detected by its header, which is not evaluated", async () => {
    for (const text of [
      "",
      "{",
      "__import__('os').system('false')",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (3,)",
      "{'descr': '<f4', 'fortran_order': False}",
      "{'descr': '<f4', 'fortran_order': 0, 'shape': (3,)}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), 'more': 1}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (-3,)}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': 3}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (1e3,)}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}",
      "[".repeat(5000),
    ]) {
      expect(await refused(withHeader(text, 12)), text).toMatch(/must have descr, fortran_order and shape/);
    }
    expect(await refused(withHeader(header("(1,)", "'<f3'"), 12))).toMatch(/"<f3"/);
    expect(await refused(withHeader(header("(1,)", "[('a', '<f4'), ('a', '<f4')]"), 8))).toMatch(/two fields/);
    expect(await refused(withHeader(header("(1,)", "[('no identifier', '<f4')]"), 4))).toMatch(/cannot be a struct/);
    expect(await refused(withHeader(header("(1,)", "[('__proto__', '<f4')]"), 9))).toMatch(/cannot be a struct/);
  });

  test("is detected by the size of its records, before memory is allocated", async () => {
    const big = (extents: string): string => header("(0,)", `[('a', '>f8', (${extents},))]`);
    expect(await refused(withHeader(big("1000000000")))).toMatch(/records of more than 2147483647 bytes/);
    expect(await refused(withHeader(big("9007199254740991, ".repeat(24) + "1")))).toMatch(
      /records of more than 2147483647/,
    );
    expect(
      await refused(withHeader(header("(0,)", "[('a', '>i4', (400000000,)), ('b', '|u1', (2000000000,))]"))),
    ).toMatch(/records of more than 2147483647/);
    const mixed = (count: number): string => `('p${count}', [('x', '>f8'), ('y', '>i4'), ('z', '<i4')], (${count},))`;
    for (const fields of [mixed(32_769), `${mixed(16_384)}, ${mixed(16_385)}`]) {
      expect(await refused(withHeader(header("(0,)", `[${fields}]`)))).toMatch(/more than 65536 separate/);
    }
    const most = `[${mixed(32_768)}]`;
    expect(await refused(withHeader(header("(0,)", most)))).toMatch(/contains records; use loadRecords/);
    expect(await refused(withHeader(big("200000000")))).toMatch(/contains records; use loadRecords/);
  });

  test("is detected by the number of bytes that follow", async () => {
    expect(await refused(withHeader(header("(3,)"), 11))).toMatch(/truncated.*\[3\] need 12 bytes, but 11/);
    expect(await refused(withHeader(header("(3,)"), 13))).toMatch(/data after.*12.*13/);
    expect(await refused(withHeader(header("(1000000, 1000000, 1000000)"), 100))).toMatch(/truncated/);
    expect(await refused(withHeader(header("(9007199254740991, 9007199254740991)"), 100))).toMatch(/truncated/);
  });

  test("is detected in a modified archive", async () => {
    await xp.saveNpz(at("good.npz"), { a: counted("float32", [500]), b: counted("int8", [3]) }, { compressed: true });
    const good = readFileSync(at("good.npz"));
    expect(await refused(Buffer.from("no archive at all, but a text"), "bad.npz")).toMatch(/no directory/);
    for (let cut = 1; cut < good.length; cut += 7) await refused(good.subarray(0, good.length - cut), "bad.npz");
    const wrong = Buffer.from(good);
    wrong[100] = (wrong[100] as number) ^ 0x55;
    await refused(wrong, "bad.npz");
    await xp.saveNpz(at("plain.npz"), { a: counted("float32", [500]) });
    const plain = readFileSync(at("plain.npz"));
    plain[500] = (plain[500] as number) ^ 1;
    expect(await refused(plain, "bad.npz")).toMatch(/CRC-32/);
    await expect(xp.loadNpz(at("good.npz"), { names: ["a", "c"] })).rejects.toThrow(
      errorLike(RangeError, "ERR_OUT_OF_RANGE"),
    );
  });

  test("is detected in an archive with impossible sizes, before memory is allocated", async () => {
    const text = header("(50000000,)", "'|u1'");
    const one = withHeader(text, 100);
    const before = pool.managedBytes;
    const declaredSize = one.length - 100 + 50_000_000;
    expect(await refused(archiveOf({ "a.npy": one }, declaredSize), "bad.npz")).toMatch(
      /impossible size of "a.npy": 500000.. bytes/,
    );
    expect(pool.managedBytes).toBe(before);
    // The highest compression ratio that is read.
    await own.saveNpz(at("zeros.npz"), { a: xp.zeros([4_000_000], { dtype: "uint8" }) }, { compressed: true });
    expect(statSync(at("zeros.npz")).size).toBeLessThan(4300);
    for (const array of Object.values(await own.loadNpz(at("zeros.npz")))) {
      expect(array.shape).toEqual([4_000_000]);
      array.release();
    }
  });

  test("with random bytes changed throws our error or returns an array", { timeout: 240_000 }, async () => {
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
    [() => xp.save("", a), errorLike(RangeError, "ERR_OUT_OF_RANGE", "path")],
    [() => xp.save(7 as never, a), errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "path")],
    [() => xp.save(new URL("https://example.org/a.npy"), a), errorLike(RangeError, "ERR_OUT_OF_RANGE", "path")],
    [() => xp.save(at("x.npy"), [1] as never), errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "array")],
    [
      () => xp.load(at("x.npy"), { dtype: "float3" as never }),
      errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options.dtype"),
    ],
    [() => xp.load(at("none.npy")), errorLike(Error, "ENOENT")],
    [() => xp.saveNpz(at("x.npz"), [a] as never), errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "arrays")],
    [() => xp.saveNpz(at("x.npz"), { a: 1 } as never), errorLike(TypeError, "ERR_INVALID_ARG_TYPE", 'arrays["a"]')],
    [() => xp.saveNpz(at("x.npz"), { "": a }), errorLike(TypeError, "ERR_INVALID_ARG_VALUE")],
    [
      () => xp.saveNpz(at("x.npz"), { a }, { compressed: 1 as never }),
      errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options.compressed"),
    ],
    [
      () => xp.loadNpz(at("x.npz"), { names: "a" as never }),
      errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options.names"),
    ],
    [() => xp.createNpy(at("x.npy"), { dtype: "float4" }), errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "float32x4")],
  ] as const) {
    await expect(call()).rejects.toThrow(sentence);
  }
  expect(readdirSync(folder).filter((name) => name.startsWith("x."))).toEqual([]);
});
