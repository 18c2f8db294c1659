import type { Characteristics } from "@cl/characterize";
import { expect, test } from "vitest";

import { result } from "@cl/testing/characteristics";
import { barTable } from "../../src/commands/bench/bars.js";
import type { Output } from "../../src/io.js";

const output: Output = { write: () => undefined, color: false, live: false, width: 80 };

test("each section's largest value has the longest bar, and the others are proportional", () => {
  const text = barTable(result, output);
  const sections = text.split("\n\n").slice(1);
  expect(sections.length).toBeGreaterThan(4);
  for (const section of sections) {
    const bars = [...section.matchAll(/█+/g)].map(([bar]) => bar.length);
    expect(Math.max(...bars), section).toBeGreaterThan(5);
  }
  expect(text).not.toMatch(/undefined|NaN|Infinity/);
});

test("no line is longer than the terminal's width", () => {
  for (const width of [72, 80, 120]) {
    const [, ...lines] = barTable(result, { ...output, width }).split("\n");
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(width);
  }
});

test("a result without values has only a title", () => {
  const { format, device } = result;
  const empty: Characteristics = { format, device, quick: false };
  expect(barTable(empty, output)).toBe(`${device.name}, driver ${device.driverVersion}\n`);
});
