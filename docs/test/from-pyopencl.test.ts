/** The numbers of examples/from-pyopencl, compared with the original program. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { expect, test } from "vitest";

import { energySource, source } from "../../examples/from-pyopencl/membrane.cl.js";
import { patched, struck, type Vibration, vibrate } from "../../examples/from-pyopencl/membrane.js";
import { python } from "@cl/testing/python";
import { needs } from "@cl/base/testing";

const folder = new URL("../../examples/from-pyopencl/", import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, folder), "utf8");

const size = 33;
const flat = new Float32Array(size * size).fill(1);
const mode = Float32Array.from({ length: size * size }, (_, i) => {
  const [x, y] = [i % size, Math.floor(i / size)];
  return Math.sin((Math.PI * x) / (size - 1)) * Math.sin((2 * Math.PI * y) / (size - 1));
});
// Exactly 0 at the rim, where the sine is rounded.
for (const [i] of mode.entries()) {
  if ([0, size - 1].some((rim) => rim === i % size || rim === Math.floor(i / size))) mode[i] = 0;
}

test.each([0, 0.01])("an eigenmode keeps its shape on a uniform skin with damping %f", async (damping) => {
  const [steps, tension] = [200, 0.4];
  const { u } = await vibrate(mode, flat, { steps, tension, damping });
  // The eigenvalue of the discrete Laplacian for this mode.
  const pull = [1, 2].reduce((sum, k) => sum - 4 * Math.sin((k * Math.PI) / (2 * (size - 1))) ** 2, 0);
  let [before, now] = [1, 1];
  for (let step = 0; step < steps; step++) {
    [before, now] = [now, 2 * now - before + tension * pull * now - damping * (now - before)];
  }
  expect(now).not.toBeCloseTo(1, 1);
  for (const [i, value] of u.entries()) expect(Math.abs(value - now * (mode[i] as number))).toBeLessThan(2e-4);
});

test("energy is conserved without damping and decreases with damping", { tags: "ci" }, async () => {
  const free = await vibrate(struck(64), patched(64), { steps: 500 });
  const [first = 0] = free.energies;
  expect(free.energies).toHaveLength(6);
  expect(first).toBeGreaterThan(0.1);
  for (const energy of free.energies) expect(Math.abs(energy / first - 1)).toBeLessThan(1e-4);
  expect(free.nanoseconds).toBeGreaterThan(0);
  const { energies } = await vibrate(struck(64), patched(64), { steps: 500, damping: 0.002 });
  expect(energies.toSorted((a, b) => b - a)).toEqual(energies);
  expect((energies.at(-1) as number) / first).toBeLessThan(0.5);
});

const hasPyOpenCL = spawnSync(python, ["-c", "import pyopencl.array, pyopencl.reduction, mako"]).status === 0;

test("membrane.py computes the same numbers", { tags: "ci" }, async (run) => {
  needs(run, hasPyOpenCL, "PyOpenCL is not installed (apt install python3-pyopencl)");
  const script = [
    "import json, sys",
    "sys.dont_write_bytecode = True",
    "sys.path.insert(0, sys.argv[1])",
    "from membrane import patched, struck, vibrate",
    "result = vibrate(struck(50), patched(50), steps=300, damping=0.001)",
    "print(json.dumps({'u': result.u.ravel().tolist(), 'energies': result.energies}))",
  ];
  const { stdout, stderr, status } = spawnSync(python, ["-c", script.join("\n"), fileURLToPath(folder)], {
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  expect(status, stderr).toBe(0);
  const original = JSON.parse(stdout) as Pick<Vibration, "energies"> & { readonly u: readonly number[] };
  const port = await vibrate(struck(50), patched(50), { steps: 300, damping: 0.001 });
  expect(port.u).toHaveLength(original.u.length);
  for (const [i, value] of port.u.entries()) expect(Math.abs(value - (original.u[i] as number))).toBeLessThan(1e-4);
  expect(port.energies).toHaveLength(original.energies.length);
  for (const [i, energy] of port.energies.entries()) {
    expect(Math.abs(energy / (original.energies[i] as number) - 1)).toBeLessThan(1e-4);
  }
});

test("both programs have the same kernels, and the README quotes both programs exactly", () => {
  const original = read("membrane.py");
  expect(original).toContain(`SOURCE = """${source}"""`);
  expect(original).toContain(`ENERGY = """${energySource}"""`);
  const squeeze = (text: string): string => text.replace(/\s+/g, "");
  const programs = { python: squeeze(original), typescript: squeeze(read("membrane.ts")) };
  const blocks = [...read("README.md").matchAll(/^```(python|typescript)\n([^]*?)^```$/gm)];
  expect(blocks.map(([, language]) => language)).toEqual(blocks.map((_, i) => (i % 2 === 0 ? "python" : "typescript")));
  expect(blocks.length).toBeGreaterThan(0);
  for (const [, language, code = ""] of blocks) expect(programs[language as "python"]).toContain(squeeze(code));
});
