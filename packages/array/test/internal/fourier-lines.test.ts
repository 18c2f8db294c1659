/**
 * The CPU kernels that transform a line in one launch: columns and rows that are no multiple of the lanes, and real
 * lines.
 *
 * @module-tag full
 */
import { DeviceType } from "@cl/core";
import { describe, expect, test } from "vitest";

import { runWhole, type WholeLines } from "../../src/fft/run-whole.js";
import { placeOf } from "../../src/fft/transform-axis.js";
import { treatBlockAs } from "../support/treat-as.js";
import { transformed } from "./transformed.js";

const forward = { inverse: false, scale: 1 } as const;

const noise = (size: number): Float64Array => Float64Array.from({ length: size }, (_, i) => ((i * 31) % 17) - 8);

function far(found: ArrayLike<number>, at: number, [re, im]: readonly [number, number]): number {
  return Math.hypot((found[2 * at] as number) - re, (found[2 * at + 1] as number) - im);
}

describe("on CPUs", () => {
  const block = treatBlockAs(DeviceType.CPU);
  const run = (lines: WholeLines, ...rest: [Parameters<typeof placeOf>[0], Parameters<typeof placeOf>[0]]): boolean =>
    runWhole(block.xp.queue, lines, placeOf(rest[0]), placeOf(rest[1]), forward);

  test.each([
    ["float", 360, 3],
    ["float", 90, 2],
    ["double", 90, 5],
  ] as const)(
    "transforms lines of %s, %i elements, %i times, at an offset, and inverts them in place",
    (real, length, batch) => {
      const dtype = real === "float" ? "complex64" : "complex128";
      const near = real === "float" ? 1e-3 : 1e-11;
      const host = noise(2 * length * (batch + 1));
      const values = real === "float" ? Float32Array.from(host) : host;
      using a = block.xp.fromHost(values, { dtype });
      using lines = a.slice([length, length * (batch + 1)]);
      using out = block.xp.full([length * batch + 16], { re: 7, im: 0 }, { dtype });
      expect(run({ real, batch, length }, lines, out)).toBe(true);
      const found = out.dataSync();
      for (const b of [0, batch - 1]) {
        const at = (j: number): [number, number] => {
          const i = 2 * (length * (b + 1) + j);
          return [host[i] as number, host[i + 1] as number];
        };
        for (let k = 0; k < length; k++) {
          expect(far(found, b * length + k, transformed(at, length, k)), `element ${k}`).toBeLessThan(near);
        }
      }
      expect(Array.from(found.subarray(2 * length * batch))).toEqual(Array.from({ length: 16 }, () => [7, 0]).flat());
      const inverse = { inverse: true, scale: 1 / length };
      expect(runWhole(block.xp.queue, { real, batch, length }, placeOf(out), placeOf(out), inverse)).toBe(true);
      const back = out.dataSync();
      const wrong = Array.from({ length: 2 * length * batch }, (_, i) =>
        Math.abs((back[i] as number) - (host[2 * length + i] as number)),
      );
      expect(Math.max(...wrong)).toBeLessThan(near / 10);
    },
  );

  test.each([
    ["float", 360],
    ["float", 30],
    ["double", 90],
  ] as const)("transforms real lines of %s with twice %i numbers to half spectra and back", (real, length) => {
    const batch = 3;
    const dtype = real === "float" ? "float32" : "float64";
    const near = real === "float" ? 1e-3 : 1e-11;
    const host = noise(2 * length * batch);
    using a = block.xp.fromHost(real === "float" ? Float32Array.from(host) : host, { dtype });
    using spectra = block.xp.full(
      [(length + 1) * batch + 16],
      { re: 7, im: 0 },
      { dtype: real === "float" ? "complex64" : "complex128" },
    );
    expect(run({ real, batch, length, half: "target" }, a, spectra)).toBe(true);
    const found = spectra.dataSync();
    const at = (j: number): [number, number] => [host[2 * length * (batch - 1) + j] as number, 0];
    for (let k = 0; k <= length; k++) {
      const expected = transformed(at, 2 * length, k);
      expect(far(found, (length + 1) * (batch - 1) + k, expected), `element ${k}`).toBeLessThan(near);
    }
    expect(Array.from(found.subarray(2 * (length + 1) * batch))).toEqual(
      Array.from({ length: 16 }, () => [7, 0]).flat(),
    );
    using back = block.xp.full([2 * length * batch + 16], 7, { dtype });
    const inverse = { inverse: true, scale: 1 / length };
    const lines = { real, batch, length, half: "source" } as const;
    expect(runWhole(block.xp.queue, lines, placeOf(spectra), placeOf(back), inverse)).toBe(true);
    const wrong = [...back.dataSync()].map((value, i) => Math.abs(value - (i < host.length ? (host[i] as number) : 7)));
    expect(Math.max(...wrong)).toBeLessThan(near / 10);
  });

  test("leaves other lengths to several launches", () => {
    using a = block.xp.empty([2 ** 18], { dtype: "complex64" });
    for (const length of [1, 17, 34, 63, 2 ** 17, 2 ** 18]) {
      expect(run({ real: "float", batch: 1, length }, a, a), String(length)).toBe(false);
    }
  });
});
