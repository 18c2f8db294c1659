/** Text files of numbers: exchange with NumPy, formats, and errors that name line and column. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { DTypeName, LoadtxtOptions, SavetxtOptions } from "@cl/array";
import { errorLike } from "@cl/testing/error-like";
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

const types: readonly DTypeName[] =
  "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128".split(
    " ",
  ) as DTypeName[];

describe("NumPy", () => {
  beforeEach(needsNumPy);

  test("reads the files of each dtype, and its files are read", async () => {
    for (const dtype of types) {
      const isInteger = /int|bool/u.test(dtype);
      const array = xp.array(
        [
          [0, 1, 2],
          [3, 100, 5],
        ],
        { dtype: "float64" },
      );
      const own = (isInteger ? array : array.div(7)).astype(dtype);
      const fmt = isInteger ? "%d" : "%.18e";
      await xp.savetxt(at("ours.txt"), own, { fmt });
      const sum = python(`
a = np.loadtxt(d + "ours.txt", "${dtype}")
np.savetxt(d + "theirs.txt", a, "${fmt}")
print(json.dumps([list(a.shape), a.tobytes().hex()]))`);
      const bytes = Buffer.from((await own.data()).buffer).toString("hex");
      expect(sum, dtype).toEqual([[2, 3], bytes]);
      const again = await xp.loadtxt(at("theirs.txt"), { dtype });
      expect([again.dtype.name, again.shape]).toEqual([dtype, [2, 3]]);
      expect(Buffer.from((await again.data()).buffer).toString("hex"), dtype).toBe(bytes);
    }
  });

  test.each<[theirs: string, options: SavetxtOptions]>([
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
  ])("writes the same text with %s", async (theirs, options) => {
    const values = [
      [0.5, -2.5, 1e-5],
      [123456.789, -0.045, 1e22],
      [2 / 3, 1234567, 0],
    ];
    await xp.savetxt(at("ours.txt"), xp.array(values), options);
    const expected = python(`
np.savetxt(d + "theirs.txt", np.array(${JSON.stringify(values)}), ${theirs})
print(json.dumps(open(d + "theirs.txt", newline="").read()))`);
    expect(readFileSync(at("ours.txt"), "utf8")).toBe(expected);
  });

  test.each(["%.18e", "%d", "%5.1f", ["%g and %g", "%f%+fj"], "%g %g %g %g"])(
    "writes the same complex numbers with %s",
    async (fmt) => {
      const parts = [1, -1, -2, 2, 0, -0, 3, -3];
      const array = xp.fromHost(Float64Array.from(parts), { dtype: "complex128", shape: [4] });
      await xp.savetxt(at("ours.txt"), array.reshape([2, 2]), { fmt, delimiter: ";" });
      const expected = python(`
a = np.array([[1 - 1j, -2 + 2j], [0j, 3 - 3j]])
a[1, 0] = complex(0, -0.0)
np.savetxt(d + "theirs.txt", a, ${JSON.stringify(fmt)}, ";")
print(json.dumps(open(d + "theirs.txt").read()))`);
      expect(readFileSync(at("ours.txt"), "utf8")).toBe(expected);
    },
  );

  test.each<[text: string, theirs: string, options: LoadtxtOptions<DTypeName>]>([
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
  ])("reads the same from %j with %s", async (text, theirs, options) => {
    const own = await xp.loadtxt(written(text), options);
    const expected = python(`
a = np.loadtxt(d + "text.txt", ${theirs})
print(json.dumps([a.dtype.name, list(a.shape), a.tobytes().hex()]))`);
    const bytes = Buffer.from((await own.data()).buffer).toString("hex");
    expect([own.dtype.name, own.shape, bytes]).toEqual(expected);
  });
});

test("a byte order mark is ignored", async () => {
  expect(await (await xp.loadtxt(written("\uFEFF1,2\n3,4"), { delimiter: "," })).toNested()).toEqual([
    [1, 2],
    [3, 4],
  ]);
});

test("many rows are read in parts", async () => {
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
  await expect(xp.savetxt(at("old.txt"), xp.array([1, NaN]), { fmt: "%d" })).rejects.toThrow(
    errorLike(TypeError, "ERR_INVALID_ARG_VALUE"),
  );
  await expect(xp.savetxt(at("old.txt"), xp.zeros([2]), { signal: AbortSignal.abort() })).rejects.toThrow(/abort/i);
  expect(readFileSync(at("old.txt"), "utf8")).toBe("0\n1\n");
  expect(readdirSync(folder).filter((name) => name.endsWith(".tmp"))).toEqual([]);
});

test.each<[text: string, options: LoadtxtOptions<DTypeName>, place: RegExp]>([
  ["1 2\n3 x", {}, /"x" in line 2, column 2/],
  ["# a\n\n1,2,", { delimiter: "," }, /"" in line 3, column 3/],
  ["1 2\n3", {}, /1 instead of 2 columns in line 2/],
  ["1 2\n3", { useCols: [1] }, /no column 1 in line 2/],
  ["1\n1.5", { dtype: "int32" }, /"1.5" in line 2, column 1/],
  ["1\n-1", { dtype: "uint8" }, /"-1" in line 2, column 1/],
  ["300", { dtype: "uint8" }, /"300" in line 1, column 1/],
  ["9223372036854775808", { dtype: "int64" }, /line 1, column 1/],
  ["1e300", { dtype: "float32" }, /line 1, column 1/],
  ["0x10", {}, /"0x10" in line 1/],
  ["1 1+2", { dtype: "complex64" }, /"1\+2" in line 1, column 2/],
  ["True", { dtype: "bool" }, /"True" in line 1, column 1/],
])("an error names the line and column of %j", async (text, options, place) => {
  const path = written(text);
  const error = errorLike(Error, "ERR_BAD_FILE");
  await expect(xp.loadtxt(path, options)).rejects.toThrow(error);
  await expect(xp.loadtxt(path, options)).rejects.toThrow(place);
});

test("rejects wrong arguments before anything is written", async () => {
  const a = xp.zeros([2, 3]);
  const range = (name: string): Error => errorLike(RangeError, "ERR_OUT_OF_RANGE", name);
  const type = (name: string): Error => errorLike(TypeError, "ERR_INVALID_ARG_TYPE", name);
  const value = (name: string): Error => errorLike(TypeError, "ERR_INVALID_ARG_VALUE", name);
  for (const [call, error] of [
    [() => xp.savetxt("", a), range("path")],
    [() => xp.savetxt(at("x.txt"), [1] as never), type("array")],
    [() => xp.savetxt(at("x.txt"), xp.zeros([])), range("array")],
    [() => xp.savetxt(at("x.txt"), xp.zeros([2, 2, 2])), range("array")],
    [() => xp.savetxt(at("x.txt"), a, { fmt: "%x" }), value("options.fmt")],
    [() => xp.savetxt(at("x.txt"), a, { fmt: "%d %d" }), type("options.fmt")],
    [() => xp.savetxt(at("x.txt"), a, { fmt: "no conversion" }), type("options.fmt")],
    [() => xp.savetxt(at("x.txt"), a, { fmt: ["%d"] }), type("options.fmt")],
    [() => xp.savetxt(at("x.txt"), a, { fmt: ["%d", "%", "%d"] }), value("options.fmt[1]")],
    [() => xp.savetxt(at("x.txt"), a, { fmt: "%.200f" }), value("options.fmt")],
    [() => xp.savetxt(at("x.txt"), a, { fmt: 7 as never }), type("options.fmt")],
    [() => xp.savetxt(at("x.txt"), a, { header: 7 as never }), type("options.header")],
    [() => xp.loadtxt(at("none.txt")), errorLike(Error, "ENOENT")],
    [() => xp.loadtxt(at("none.txt"), { delimiter: "" }), range("options.delimiter")],
    [() => xp.loadtxt(at("none.txt"), { comments: [""] }), range("options.comments[0]")],
    [() => xp.loadtxt(at("none.txt"), { useCols: [] }), type("options.useCols")],
    [() => xp.loadtxt(at("none.txt"), { useCols: 0.5 }), range("options.useCols")],
    [() => xp.loadtxt(at("none.txt"), { skipRows: -1 }), range("options.skipRows")],
    [() => xp.loadtxt(at("none.txt"), { maxRows: 1.5 }), range("options.maxRows")],
    [() => xp.loadtxt(at("none.txt"), { ndmin: 3 as never }), range("options.ndmin")],
    [() => xp.loadtxt(at("none.txt"), { dtype: "float4" as never }), type("options.dtype")],
  ] as const) {
    await expect(call()).rejects.toThrow(error);
  }
  expect(readdirSync(folder).filter((name) => name.startsWith("x."))).toEqual([]);
});
