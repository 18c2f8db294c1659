/** The example lattice-boltzmann computes the same bits on several ranks as without MPI, and prints and draws the same. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

import { type InstalledMpi, installed, resultsOf, runJob, runRanks, unexpected } from "./support/run-ranks.js";

const example = new URL("../../../examples/lattice-boltzmann/dist/", import.meta.url).href;

/** Flows, as functions that return digests of several times. */
const flows = {
  // All kinds of cells are next to cells of other ranks.
  box: `
    const [nx, ny, nz] = [9, 5, 11];
    const cellAt = (x, y, z) => {
      if (x === 0) return "open";
      if (x % 5 === 3 && y > 1 && z % 3 !== 2) return z === nz - 1 ? "moving wall" : "wall";
      return "fluid";
    };
    const velocityAt = (x, y, z) => [0.05 * Math.sin(x + 2 * z), 0.04 * Math.cos(3 * y + z), 0.03 * Math.sin(y * z)];
    const { steps, read } = await lattice(queue, { ...options, size: [nx, ny, nz], cellAt, velocityAt });
    for (let pair = 0; pair < 40; pair++) {
      steps.launch(queue, { omega: 1.2, inflow: 0.05 + pair / 1e3, wall: 0.1 });
      if (pair % 13 > 0) continue;
      const flow = await read();
      if (flow !== undefined) found.push(digest(flow.density, ...flow.velocity));
    }`,
  vortices: `
    for (const steps of [2, 60]) {
      const decay = await vortices(queue, { ...options, cells: 18, viscosity: 0.05, steps });
      found.push(digest(Float64Array.of(decay?.viscosity, decay?.error, decay?.massChange)));
    }`,
  wake: `
    const draw = async ({ vorticity }) => found.push(digest(vorticity));
    await wake(queue, { ...options, cells: 10, reynolds: 40, steps: 60, outputs: [{ steps: 20, scale: 2, draw }] });`,
} as const;

/** Prints the digests of a flow on all ranks and on the root alone. */
const comparison = (flow: keyof typeof flows, precision: string): string => `
  import { createHash } from "node:crypto";
  import { lattice } from "${example}lattice.js";
  import { joinJob } from "${example}ranks.js";
  import { vortices } from "${example}vortices.js";
  import { wake } from "${example}wake.js";
  const { context, isRoot, divide } = await joinJob();
  const queue = new CommandQueue(context);
  const digest = (...arrays) => {
    const hash = createHash("sha256");
    for (const array of arrays) hash.update(array);
    return hash.digest("hex");
  };
  const run = async (options) => {
    const found = [];
    ${flows[flow]}
    return found;
  };
  const together = await run({ precision: "${precision}", divide });
  if (isRoot) print([together, await run({ precision: "${precision}" })]);`;

describe.each(installed)("$name", (mpi) => {
  test.each([
    ["box", "float32", 1],
    ["box", "float32", 2],
    ["box", "float32", 3],
    ["box", "float32", 4],
    ["vortices", "float32", 4],
    // Takes PoCL long to compile.
    ["vortices", "float16", 2],
    ["wake", "float32", 2],
  ] as const)("%s in %s: the same bits on %d ranks as without MPI", async (flow, precision, ranks) => {
    const [result] = resultsOf(await runRanks(mpi, ranks, comparison(flow, precision)));
    const [together, alone] = result as string[][];
    // The flow changes.
    expect(new Set(alone).size).toBe({ box: 4, vortices: 2, wake: 3 }[flow]);
    expect(together).toEqual(alone);
  });

  test("the program prints and draws the same on two ranks", async () => {
    const [alone, together] = [await outputOf(mpi, 1, []), await outputOf(mpi, 2, ["--mpi"])];
    expect(Object.keys(alone)).toContain("vorticity-000010.png");
    expect(together).toEqual(alone);
  });

  test("too few slices for the ranks end the job, with the reason", async () => {
    const program = `
      import { lattice } from "${example}lattice.js";
      import { joinJob } from "${example}ranks.js";
      const { context, divide } = await joinJob();
      await lattice(new CommandQueue(context), { size: [4, 4, 5], divide });`;
    const end = await runRanks(mpi, 3, program);
    expect(end.code).not.toBe(0);
    expect(end.stderr + end.stdout).toMatch(/options\.ghosts\[1\] is 2, but ranks have only 1 cells/);
  });
});

/** Returns the files that the program writes, by name, and what it prints, without the time. */
async function outputOf(
  mpi: InstalledMpi,
  ranks: number,
  options: readonly string[],
): Promise<Record<string, string | Buffer>> {
  const folder = mkdtempSync(path.join(tmpdir(), "cl-mpi-lattice-"));
  try {
    const files = ["--out", folder, "--animate", path.join(folder, "wake.png")];
    const main = fileURLToPath(new URL("main.js", example));
    const end = await runJob(mpi, ranks, [main, "--cells", "8", "--steps", "10", ...files, ...options]);
    expect([end.code, unexpected(end)]).toEqual([0, ""]);
    return {
      printed: end.stdout.replaceAll(folder, "FOLDER").replace(/\d+ million/, "SOME million"),
      ...Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(path.join(folder, name))])),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
