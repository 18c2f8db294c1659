import {
  bandwidthPlot,
  type Characteristics,
  characteristicsTable,
  isCharacteristics,
  launchPlot,
  localMemoryBankCount,
  rooflinePlot,
} from "@cl/characterize";
import { Context, type Device } from "@cl/core";
import { expect, test } from "vitest";

import { result } from "@cl/testing/characteristics";
import { xmlFault } from "./support/well-formed.js";
import { wrongType } from "@cl/testing/error-like";

const plots = { rooflinePlot, bandwidthPlot, launchPlot };

test("the table has a section per group and aligned columns of values with units and spreads", () => {
  const text = characteristicsTable(result);
  expect(text).toMatch(/^Quick & <dirty> "X", driver 1\.2\nPlatform, 132 compute units at 1980 MHz, 140 GiB\n/);
  expect(text).toContain("  launch and wait, blocking                            12 µs    ±15 %\n");
  expect(text).toContain("  pageable to device, 256 MiB                        10 GB/s    ±15 %\n");
  expect(text).toContain("  read float                                          3 TB/s    ±15 %\n");
  expect(text).toContain("  float8, 8 independent chains                    61 Tflop/s    ±15 %\n");
  expect(text).toContain("  banks                                             32 × 4 B\n");
  expect(text).toContain("  profiling overhead per kernel                         1 µs\n");
  expect(text).toContain("  not measured: half: the device lacks cl_khr_fp16\n");
  for (const title of ["Timer", "Launches", "Transfers", "Global memory", "Local memory", "Arithmetic", "Atomic"]) {
    expect(text).toContain(`\n\n${title}`);
  }
  const lines = text.split("\n").filter((line) => line.includes("±"));
  expect(new Set(lines.map((line) => line.length)).size).toBe(1);
});

test("the table of a partial result has only its groups and the reason for unknown banks", () => {
  const { format, device, localMemory } = result as Required<Characteristics>;
  const banks = { observable: false, reason: "all strides take about the same time" } as const;
  const text = characteristicsTable({ format, device, quick: true, localMemory: { ...localMemory, banks } });
  expect(text).toContain("(quick)");
  expect(text).toContain("not observable\n    all strides take about the same time\n");
  expect(text).not.toContain("Launches");
});

test.each(Object.entries(plots))(
  "%s is well-formed SVG for light and dark pages, with the device's name escaped",
  (_, plot) => {
    const svg = plot(result);
    expect(xmlFault(svg)).toBeUndefined();
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 \d+ \d+"/);
    expect(svg).toContain("Quick &amp; &lt;dirty&gt; &quot;X&quot;");
    expect(svg).not.toContain("<dirty>");
    expect(svg).toContain("@media(prefers-color-scheme:dark)");
    expect(svg).toContain("<title>");
    expect(svg).not.toMatch(/NaN|Infinity|undefined/);
  },
);

test("the roofline's ceilings are the highest compute rates and its slopes the measured bandwidths", () => {
  const svg = rooflinePlot(result);
  expect(svg).toContain(">float8: 61 Tflop/s</text>");
  expect(svg).toContain(">int: 20 Top/s</text>");
  expect(svg).toContain(">global memory: 4.3 TB/s</text>");
  expect(svg).toContain(">local memory: 20 TB/s</text>");
});

test("characters that XML does not allow are removed from names", () => {
  const svg = bandwidthPlot({ ...result, device: { ...result.device, name: "a\u0000\u001b\ud800b" } });
  expect(xmlFault(svg)).toBeUndefined();
  expect(svg).toContain("ab, driver");
});

test.each([undefined, null, 1, "{}", [], {}, { ...result, format: 2 }])(
  "a value that is not a result, or lacks a plot's groups, is rejected (%#)",
  (value) => {
    const { format, device, quick } = result;
    for (const plot of Object.values(plots)) {
      expect(() => plot({ format, device, quick })).toThrow(wrongType("result"));
      expect((): unknown => Reflect.apply(plot, undefined, [value])).toThrow(wrongType("result"));
    }
    expect((): unknown => Reflect.apply(characteristicsTable, undefined, [value])).toThrow(wrongType("result"));
  },
);

test("a result can be passed to the queries as `measured`", () => {
  const device = Context.create().devices[0] as Device;
  expect(localMemoryBankCount(device, result)).toBe(32);
});

test("isCharacteristics accepts a result parsed from JSON and rejects a damaged one", () => {
  expect(isCharacteristics(JSON.parse(JSON.stringify(result)))).toBe(true);
  const wrong: readonly (readonly [path: string, value: unknown])[] = [
    ["device", undefined],
    ["more", 1],
    ["quick", "no"],
    ["device.computeUnits", 1.5],
    ["device.type", "tpu"],
    ["timer.hostStep", -1],
    ["timer.measuredAt", "yesterday"],
    ["launch.latency.p10", 2],
    ["launch.latency.unit", "h"],
    ["launch.latency.samples", 0],
    ["transfer.curves.0.points.0.bandwidth", null],
    ["globalMemory.entries", {}],
    ["localMemory.banks", { observable: true }],
    ["compute.notes", [1]],
    ["atomics.entries.0.memory", "private"],
  ];
  for (const [path, value] of wrong) {
    const copy: unknown = JSON.parse(JSON.stringify(result));
    const names = path.split(".");
    const last = names.pop() as string;
    const owner = names.reduce((inner, name) => (inner as Record<string, unknown>)[name], copy);
    (owner as Record<string, unknown>)[last] = value;
    expect(isCharacteristics(copy), path).toBe(false);
  }
});
