/** Finding and installing the libraries that the benchmarks compare with. */
import { afterEach, expect, test, vi } from "vitest";

import { installChoice, missingPeers } from "../../../scripts/lib/bench-peers.mjs";

afterEach(() => vi.unstubAllEnvs());

test.each([
  ["asks on a terminal the first time", { forced: false, interactive: true, answered: false }, "ask"],
  ["does not ask again after an answer", { forced: false, interactive: true, answered: true }, "no"],
  ["does not ask without a terminal", { forced: false, interactive: false, answered: false }, "no"],
  ["installs if the command line requests it", { forced: true, interactive: false, answered: true }, "yes"],
])("the bootstrap %s", (_, state, expected) => {
  expect(installChoice(state)).toBe(expected);
});

test("missingPeers lists NumPy and PyOpenCL with their packages if the interpreter has neither", () => {
  vi.stubEnv("CL_BENCH_PYTHON", "/bin/false");
  expect(missingPeers().map(({ name, packages }) => [name, packages.apt])).toEqual([
    ["NumPy", "python3-numpy"],
    ["PyOpenCL", "python3-pyopencl"],
  ]);
});
