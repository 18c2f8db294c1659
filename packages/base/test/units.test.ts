/** Formatting of numbers with units. */
import { expect, test } from "vitest";

import { formatBytes, formatCompact, formatCount, formatRate, formatShare, formatTime } from "@cl/base/units";

test("formats times with the largest unit that is not larger", () => {
  const times = [0, 0.3, 1, 999, 999.7, 12_345, -12_345, 1.5e6, 999_999, 2e9, 90e9, 150e9, 3 * 3600e9];
  const texts = "0 ns,0.3 ns,1 ns,999 ns,1 µs,12.3 µs,-12.3 µs,1.5 ms,1 ms,2 s,90 s,2.5 min,3 h";
  expect(times.map(formatTime)).toEqual(texts.split(","));
});

test("formats bytes with binary prefixes", () => {
  const sizes = [0, 1000, 1536, 3 << 20, 2 ** 28, 1024 ** 2 - 512, 2 ** 40];
  expect(sizes.map(formatBytes)).toEqual("0 B,1000 B,1.5 KiB,3 MiB,256 MiB,1024 KiB,1 TiB".split(","));
});

test("formats rates and numbers with decimal prefixes", () => {
  expect([2.14e10, 999.7, 0.05].map((value) => formatRate(value, "B/s"))).toEqual(["21.4 GB/s", "1 kB/s", "0.05 B/s"]);
  expect([1e7, 2.5e6, 999, 0.125].map(formatCompact)).toEqual(["10M", "2.5M", "999", "0.125"]);
});

test("formats shares and counts", () => {
  expect(formatShare(0.1234)).toBe("12.3 %");
  expect([formatCount(1_234_567), formatCount(12)]).toEqual(["1\u202f234\u202f567", "12"]);
  expect(formatCount(1_234_567, ",")).toBe("1,234,567");
});

test("formats non-finite numbers as a dash", () => {
  const formats = [formatTime, formatBytes, formatCompact, formatShare, formatCount];
  expect(formats.map((format) => format(Number.NaN))).toEqual(["–", "–", "–", "–", "–"]);
});
