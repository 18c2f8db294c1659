/** Text files of numbers: exchange with NumPy, formats, and errors that name line and column. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { AnyArray, DTypeName, LoadtxtOptions, SavetxtOptions } from "@cl/array";
import { errorLike, outOfRange, wrongType, wrongValue } from "@cl/testing/error-like";
import { python as interpreter } from "@cl/testing/python";
import { afterAll, beforeEach, describe, expect, test } from "vitest";

import { xp } from "./support/device.js";
import { needsNumPy } from "./support/numpy.js";

const folder = mkdtempSync(join(tmpdir(), "texts-"));
afterAll(() => {
  rmSync(folder, { recursive: true });
});
const at = (name: string): string => join(folder, name);

/** The value that a Python script prints as JSON. */
function python(code: string): unknown {
  const head = `import json, numpy as np\nd = ${JSON.stringify(folder)} + "/"\n`;
  return JSON.parse(execFileSync(interpreter, ["-W", "ignore", "-c", head + code]).toString());
}

function written(text: string, name = "text.txt"): string {
  writeFileSync(at(name), text);
  return at(name);
}

const types = [
  ...(["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"] as const),
  ...(["float16", "float32", "float64", "complex64", "complex128"] as const),
];

describe("NumPy", () => {
  beforeEach(needsNumPy);

  test("reads the files of each dtype, and its files are read", async () => {
    const ours: unknown[] = [];
    const values = [0, 1, 2, 3, 100, 5];
    const formatOf = (dtype: DTypeName): string => (/int|bool/u.test(dtype) ? "%d" : "%.18e");
    const arrays = types.map((dtype) => {
      const own = formatOf(dtype) === "%d" ? values : values.map((value) => value / 7);
      return xp.array(dtype === "bool" ? own.map(Boolean) : own, { dtype }).reshape([2, 3]);
    });
    for (const array of arrays) {
      const { name } = array.dtype;
      await xp.savetxt(at(`${name}.txt`), array, { fmt: formatOf(name) });
      ours.push([[2, 3], Buffer.from((await array.data()).buffer).toString("hex")]);
    }
    const theirs = python(`
def copied(dtype, fmt):
    a = np.loadtxt(d + dtype + ".txt", dtype)
    np.savetxt(d + "numpy-" + dtype + ".txt", a, fmt)
    return [list(a.shape), a.tobytes().hex()]
print(json.dumps([copied(*pair) for pair in ${JSON.stringify(types.map((dtype) => [dtype, formatOf(dtype)]))}]))`);
    expect(theirs).toEqual(ours);
    for (const array of arrays) {
      const dtype = array.dtype.name;
      const again = await xp.loadtxt(at(`numpy-${dtype}.txt`), { dtype });
      expect([again.dtype.name, again.shape, await again.data()]).toEqual([dtype, [2, 3], await array.data()]);
    }
  });

  const formats: readonly (readonly [theirs: string, options: SavetxtOptions])[] = [
    ["", {}],
    [
      "fmt='%d', delimiter=',', header='a\\nb', footer='end', comments='%%'",
      { fmt: "%d", delimiter: ",", header: "a\nb", footer: "end", comments: "%%" },
    ],
    ["fmt=['%g', '%8.3f', '%-9.2e|']", { fmt: ["%g", "%8.3f", "%-9.2e|"] }],
    ["fmt='row %05.1f: %+d % d', newline='\\r\\n'", { fmt: "row %05.1f: %+d % d", newline: "\r\n" }],
    ["fmt='%#.4g'", { fmt: "%#.4g" }],
    ["fmt='%G'", { fmt: "%G" }],
    ["fmt='%.0f'", { fmt: "%.0f" }],
    ["fmt='%08.2E'", { fmt: "%08.2E" }],
    ["fmt='%6.3d'", { fmt: "%6.3d" }],
  ];
  const complexFormats = ["%.18e", "%d", "%5.1f", ["%g and %g", "%f%+fj"], "%g %g %g %g"];

  test("writes the same text in every format", async () => {
    const values = [0.5, -2.5, 1e-5, 123456.789, -0.045, 1e22, 2 / 3, 1234567, 0];
    const parts = [1, -1, -2, 2, 0, -0, 3, -3];
    const ours: string[] = [];
    const save = async (array: AnyArray, options: SavetxtOptions): Promise<void> => {
      await xp.savetxt(at("ours.txt"), array, options);
      ours.push(readFileSync(at("ours.txt"), "utf8"));
    };
    for (const [, options] of formats) await save(xp.array(values).reshape([3, 3]), options);
    const complex = xp.fromHost(Float64Array.from(parts), { dtype: "complex128", shape: [2, 2] });
    for (const fmt of complexFormats) await save(complex, { fmt, delimiter: ";" });
    const theirs = python(`
def text(*args, **options):
    np.savetxt(d + "theirs.txt", *args, **options)
    return open(d + "theirs.txt", newline="").read()
a = np.array(${JSON.stringify(values)}).reshape(3, 3)
z = np.array([[1 - 1j, -2 + 2j], [complex(0, -0.0), 3 - 3j]])
complex_formats = ${JSON.stringify(complexFormats)}
print(json.dumps([${formats.map(([text]) => `text(a, ${text})`).join()}] + [text(z, f, ";") for f in complex_formats]))`);
    expect(ours).toEqual(theirs);
  });

  const readings: readonly (readonly [text: string, theirs: string, options: LoadtxtOptions<DTypeName>])[] = [
    ["1 2\n3 4\n", "", {}],
    ["1\n2\n", "", {}],
    ["1 2\n", "", {}],
    ["7", "", {}],
    ["", "", {}],
    ["# a\n", "ndmin=2", { ndmin: 2 }],
    ["7", "ndmin=2", { ndmin: 2 }],
    ["1\n2\n", "ndmin=2", { ndmin: 2 }],
    ["7", "ndmin=1", { ndmin: 1 }],
    [
      "a,b\n1,2\n\n3 ,4 # c\r\n5,\t6\n",
      "delimiter=',', skiprows=1, max_rows=2",
      { delimiter: ",", skipRows: 1, maxRows: 2 },
    ],
    ["1 2\n3 4", "max_rows=0", { maxRows: 0 }],
    ["1;2;3\n4;5;6", "delimiter=';', usecols=(2, 0)", { delimiter: ";", useCols: [2, 0] }],
    ["1 2 3\n4 5", "usecols=-1", { useCols: -1 }],
    ["1 2 % x\n3 4 ! y", "comments=['%', '!']", { comments: ["%", "!"] }],
    ["nan -inf\n+Infinity .5e1", "", {}],
    ["(1+2j) 3-1e2j\n2j 4", "dtype=complex", { dtype: "complex128" }],
    ["0 1\n2 0", "dtype=bool", { dtype: "bool" }],
    ["-9223372036854775808 9223372036854775807", "dtype='int64'", { dtype: "int64" }],
    ["1\t2\n3\t\n", "delimiter='\\t', usecols=0", { delimiter: "\t", useCols: 0 }],
  ];

  test("reads the same from texts, with all options", async () => {
    const ours: unknown[] = [];
    for (const [text, , options] of readings) {
      const own = await xp.loadtxt(written(text), options);
      ours.push([own.dtype.name, own.shape, Buffer.from((await own.data()).buffer).toString("hex")]);
    }
    const theirs = python(`
def read(text, **options):
    open(d + "text.txt", "w", newline="").write(text)
    a = np.loadtxt(d + "text.txt", **options)
    return [a.dtype.name, list(a.shape), a.tobytes().hex()]
print(json.dumps([${readings.map(([text, options]) => `read(${JSON.stringify(text)}, ${options})`).join()}]))`);
    expect(ours).toEqual(theirs);
  });
});

test("a byte order mark is ignored", async () => {
  expect(await (await xp.loadtxt(written("\uFEFF1,2"), { delimiter: "," })).toNested()).toEqual([1, 2]);
});

test("many rows are read in parts", { tags: "ci" }, async () => {
  const array = xp.arange(60_000).reshape([20_000, 3]);
  await xp.savetxt(at("many.txt"), array, { fmt: "%d" });
  const loaded = await xp.loadtxt(at("many.txt"), { dtype: "float64" });
  expect(await xp.arrayEqual(loaded, array).item()).toBe(true);
});

test("an array is written with its values at the time of the call", async () => {
  const array = xp.arange(3);
  const saved = xp.savetxt(at("values.txt"), array.slice("::-1"), { fmt: "%g" });
  array.assign(7);
  await saved;
  expect(readFileSync(at("values.txt"), "utf8")).toBe("2\n1\n0\n");
});

test("a failed write leaves the old file", async () => {
  await xp.savetxt(at("old.txt"), xp.arange(2), { fmt: "%g" });
  await expect(xp.savetxt(at("old.txt"), xp.array([1, NaN]), { fmt: "%d" })).rejects.toThrow(wrongValue());
  await expect(xp.savetxt(at("old.txt"), xp.zeros([2]), { signal: AbortSignal.abort() })).rejects.toMatchObject({
    name: "AbortError",
  });
  expect(readFileSync(at("old.txt"), "utf8")).toBe("0\n1\n");
  expect(readdirSync(folder).filter((name) => name.endsWith(".tmp"))).toEqual([]);
});

test.each<[text: string, options: LoadtxtOptions<DTypeName>, place: RegExp]>([
  ["1 2\n3 x", {}, /"x" .*\b2\b.*\b2\b/],
  ["# a\n\n1,2,", { delimiter: "," }, /"" .*\b3\b.*\b3\b/],
  ["1 2\n3", {}, /\b1\b.*\b2\b.*\b2\b/],
  ["1 2\n3", { useCols: [1] }, /\b1\b.*\b2\b/],
  ["1\n1.5", { dtype: "int32" }, /"1.5" .*\b2\b.*\b1\b/],
  ["300", { dtype: "uint8" }, /"300" .*\b1\b.*\b1\b/],
  ["9223372036854775808", { dtype: "int64" }, /\b1\b.*\b1\b/],
  ["1e300", { dtype: "float32" }, /\b1\b.*\b1\b/],
  ["0x10", {}, /"0x10" .*\b1\b/],
  ["1 1+2", { dtype: "complex64" }, /"1\+2" .*\b1\b.*\b2\b/],
  ["True", { dtype: "bool" }, /"True" .*\b1\b.*\b1\b/],
])("an error names the line and column of %j", async (text, options, place) => {
  const failure: unknown = await xp.loadtxt(written(text), options).catch((error: unknown) => error);
  expect(failure).toEqual(errorLike(Error, "ERR_BAD_FILE"));
  expect(String(failure)).toMatch(place);
});

test("long numbers take linear time", { tags: "ci" }, async () => {
  const digits = "1".repeat(500_000);
  for (const text of [digits, `${digits}x`, `${digits}+${digits}x`]) {
    const loaded = xp.loadtxt(written(text), { dtype: "complex128" });
    if (text === digits) expect((await loaded).size).toBe(1);
    else await expect(loaded).rejects.toThrow(errorLike(Error, "ERR_BAD_FILE"));
  }
});

test("rejects wrong arguments before anything is written", async () => {
  const a = xp.zeros([2, 3]);
  for (const [call, error] of [
    [() => xp.savetxt("", a), outOfRange("path")],
    [() => xp.savetxt(at("x.txt"), [1] as never), wrongType("array")],
    [() => xp.savetxt(at("x.txt"), xp.zeros([])), outOfRange("array")],
    [() => xp.savetxt(at("x.txt"), xp.zeros([2, 2, 2])), outOfRange("array")],
    [() => xp.savetxt(at("x.txt"), a, { fmt: "%x" }), wrongValue("options.fmt")],
    [() => xp.savetxt(at("x.txt"), a, { fmt: "%d %d" }), wrongType("options.fmt")],
    [() => xp.savetxt(at("x.txt"), a, { fmt: "no conversion" }), wrongType("options.fmt")],
    [() => xp.savetxt(at("x.txt"), a, { fmt: ["%d"] }), wrongType("options.fmt")],
    [() => xp.savetxt(at("x.txt"), a, { fmt: ["%d", "%", "%d"] }), wrongValue("options.fmt[1]")],
    [() => xp.savetxt(at("x.txt"), a, { fmt: "%.200f" }), wrongValue("options.fmt")],
    [() => xp.savetxt(at("x.txt"), a, { fmt: 7 as never }), wrongType("options.fmt")],
    [() => xp.savetxt(at("x.txt"), a, { header: 7 as never }), wrongType("options.header")],
    [() => xp.loadtxt(at("none.txt")), errorLike(Error, "ENOENT")],
    [() => xp.loadtxt(at("none.txt"), { delimiter: "" }), outOfRange("options.delimiter")],
    [() => xp.loadtxt(at("none.txt"), { comments: [""] }), outOfRange("options.comments[0]")],
    [() => xp.loadtxt(at("none.txt"), { useCols: [] }), wrongType("options.useCols")],
    [() => xp.loadtxt(at("none.txt"), { useCols: 0.5 }), outOfRange("options.useCols")],
    [() => xp.loadtxt(at("none.txt"), { skipRows: -1 }), outOfRange("options.skipRows")],
    [() => xp.loadtxt(at("none.txt"), { maxRows: 1.5 }), outOfRange("options.maxRows")],
    [() => xp.loadtxt(at("none.txt"), { ndmin: 3 as never }), outOfRange("options.ndmin")],
    [() => xp.loadtxt(at("none.txt"), { dtype: "float4" as never }), wrongType("options.dtype")],
  ] as const) {
    await expect(call()).rejects.toThrow(error);
  }
  expect(readdirSync(folder).filter((name) => name.startsWith("x."))).toEqual([]);
});
