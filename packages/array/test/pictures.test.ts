/** Encodes arrays as images and decodes them again. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32, inflateSync } from "node:zlib";

import { expect, test } from "vitest";

import { needsDoubles, xp } from "./support/device.js";
import { outOfRange, wrongType, wrongValue } from "@cl/testing/error-like";

/** Decodes RGBA pixels from the kinds of PNG that we write. */
function decoded(file: Uint8Array): { width: number; height: number; pixels: number[][] } {
  const bytes = Buffer.from(file);
  expect(bytes.subarray(0, 8)).toEqual(Buffer.from("\x89PNG\r\n\x1a\n", "latin1"));
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < bytes.length;) {
    const length = bytes.readUInt32BE(at);
    const end = at + 8 + length;
    expect(bytes.readUInt32BE(end)).toBe(crc32(bytes.subarray(at + 4, end)));
    chunks.set(bytes.toString("latin1", at + 4, at + 8), bytes.subarray(at + 8, end));
    at = end + 4;
  }
  expect([...chunks.keys()].at(-1)).toBe("IEND");
  const head = chunks.get("IHDR") as Buffer;
  const [width, height, depth, kind] = [head.readUInt32BE(0), head.readUInt32BE(4), head[8], head[9] as number];
  expect(depth).toBe(8);
  const size = { 2: 3, 3: 1, 6: 4 }[kind] as number;
  const rows = inflateSync(chunks.get("IDAT") as Buffer);
  expect(rows).toHaveLength(height * (width * size + 1));
  const pixels: number[][] = [];
  for (let y = 0; y < height; y++) {
    const row = rows.subarray(y * (width * size + 1), (y + 1) * (width * size + 1));
    let before = Array.from({ length: size }, () => 0);
    for (let x = 0; x < width; x++) {
      const own = [...row.subarray(1 + x * size, 1 + (x + 1) * size)];
      const values = row[0] === 1 ? own.map((value, i) => (value + (before[i] as number)) & 0xff) : own;
      before = values;
      if (kind !== 3) pixels.push(size === 3 ? [...values, 255] : values);
      else {
        const place = values[0] as number;
        const colors = [...(chunks.get("PLTE") as Buffer).subarray(3 * place, 3 * place + 3)];
        pixels.push([...colors, (chunks.get("tRNS") as Buffer)[place] ?? 255]);
      }
    }
  }
  return { width, height, pixels };
}

test("maps numbers to colors, from the minimum to the maximum", async () => {
  const a = xp.array([0, 127, 254, NaN, Infinity, -Infinity], { dtype: "float32" }).reshape([2, 3]);
  const { width, height, pixels } = decoded(await xp.toPng(a, { colormap: "gray" }));
  expect([width, height]).toEqual([3, 2]);
  expect(pixels.map(([red]) => red)).toEqual([0, 128, 255, expect.any(Number), 255, 0]);
  expect(pixels.map((one) => one[3])).toEqual([255, 255, 255, 0, 255, 255]);
  const viridis = decoded(await xp.toPng(a)).pixels;
  expect([viridis[0], viridis[2]].join()).toBe("68,1,84,255,253,231,37,255");
});

test("min and max limit the range; values beyond get the first or last color", { tags: "ci" }, async () => {
  const a = xp.arange(6, { dtype: "int16" }).reshape([2, 3]);
  const { pixels } = decoded(await xp.toPng(a.T, { min: 1, max: 3, colormap: ["#ff0000", "#00ff00", "#0000ff"] }));
  // The rows are 0 3, 1 4, 2 5.
  expect(pixels.map((one) => one.slice(0, 3).indexOf(255))).toEqual([0, 2, 0, 2, 1, 2]);
  const same = decoded(await xp.toPng(xp.full([2, 2], 7, { dtype: "float32" }), { colormap: "gray" })).pixels;
  expect(new Set(same.map(String)).size).toBe(1);
  const ends = xp.array([[5, Infinity, -Infinity, 5]], { dtype: "float32" });
  const { pixels: around } = decoded(await xp.toPng(ends, { colormap: "gray" }));
  expect(around.map(([red]) => red)).toEqual([0, 255, 0, 0]);
  const bits = decoded(await xp.toPng(xp.array([[true, false]]), { colormap: "gray" })).pixels;
  expect(bits.map(([red]) => red)).toEqual([255, 0]);
  for (const colormap of ["magma", "inferno", "plasma", "coolwarm"] as const) {
    expect(new Set(decoded(await xp.toPng(a, { colormap })).pixels.map(String)).size).toBe(6);
  }
});

test("distinguishes large numbers if the device has float64", { tags: "ci" }, async (run) => {
  needsDoubles(run);
  const a = xp.array([[2 ** 40, 2 ** 40 + 1, 2 ** 40 + 2]]);
  expect(decoded(await xp.toPng(a, { colormap: "gray" })).pixels.map(([red]) => red)).toEqual([0, 128, 255]);
  const huge = xp.array([[-1.5e308, 0, 1.5e308]]);
  expect(decoded(await xp.toPng(huge, { colormap: "gray" })).pixels.map(([red]) => red)).toEqual([0, 128, 255]);
});

test("writes color arrays unchanged", async () => {
  const folder = mkdtempSync(join(tmpdir(), "pictures-"));
  try {
    for (const parts of [3, 4]) {
      const bytes = Uint8Array.from({ length: 5 * 7 * parts }, (_, i) => (i * 37) % 256);
      const colors = xp.fromHost(bytes, { shape: [5, 7, parts] });
      await xp.savePng(join(folder, "a.png"), colors);
      const { width, height, pixels } = decoded(readFileSync(join(folder, "a.png")));
      expect([width, height]).toEqual([7, 5]);
      expect(pixels.flatMap((one) => one.slice(0, parts))).toEqual([...bytes]);
      const reversed = decoded(await xp.toPng(colors.slice("::-1", "1::2"))).pixels;
      expect(reversed[0]?.slice(0, parts)).toEqual([...bytes.subarray((4 * 7 + 1) * parts, (4 * 7 + 2) * parts)]);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("rejects arrays that cannot be encoded", async () => {
  const a = xp.zeros([2, 3], { dtype: "float32" });
  const colors = xp.zeros([2, 3, 3], { dtype: "uint8" });
  for (const [call, sentence] of [
    [() => xp.toPng(a.ravel()), outOfRange()],
    [() => xp.toPng(xp.zeros([2, 3, 5], { dtype: "uint8" })), outOfRange()],
    [() => xp.toPng(xp.zeros([0, 3])), outOfRange()],
    [() => xp.toPng(colors.astype("float32")), wrongType("colors")],
    [() => xp.toPng(colors, { min: 0 }), wrongType()],
    [() => xp.toPng(a.astype("complex64")), wrongType()],
    [() => xp.toPng(a, { min: 2, max: 1 }), outOfRange("options.max")],
    [() => xp.toPng(a, { min: NaN }), outOfRange("options.min")],
    [() => xp.toPng(a, { colormap: "jet" as never }), outOfRange("options.colormap")],
    [() => xp.toPng(a, { colormap: ["red"] }), wrongType("options.colormap[0]")],
    [() => xp.toPng(a, { colormap: [] }), wrongValue("options.colormap")],
    [() => xp.toPng([[1]] as never), wrongType("array")],
    [() => xp.savePng("", a), outOfRange("path")],
  ] as const) {
    await expect(call()).rejects.toThrow(sentence);
  }
});
