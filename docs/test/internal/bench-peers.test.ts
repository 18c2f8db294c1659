/** What the bootstrap offers for the benchmarks. */
import { afterEach, expect, test, vi } from "vitest";

import { missingPeers, whetherToInstall } from "../../../scripts/lib/bench-peers.mjs";

afterEach(() => vi.unstubAllEnvs());

test.each([
  ["on a terminal, the first time", { wanted: false, interactive: true, answered: false }, "ask"],
  ["once somebody has answered", { wanted: false, interactive: true, answered: true }, "no"],
  ["without a terminal", { wanted: false, interactive: false, answered: false }, "no"],
  ["because the command line says so", { wanted: true, interactive: false, answered: true }, "yes"],
])("peers are offered or installed: %s", (_, given, expected) => {
  expect(whetherToInstall(given)).toBe(expected);
});

test("an interpreter that has none of them lacks NumPy and PyOpenCL, each with the package that brings it", () => {
  vi.stubEnv("CL_BENCH_PYTHON", "/bin/false");
  expect(missingPeers().map(({ name, packages }) => [name, packages.apt])).toEqual([
    ["NumPy", "python3-numpy"],
    ["PyOpenCL", "python3-pyopencl"],
  ]);
});
