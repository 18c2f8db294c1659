/**
 * The example lattice-boltzmann computes the same bits on several ranks as without MPI, and prints and draws the same.
 *
 * @module-tag full
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

import { describeMpis, type JobEnd, resultsOf, runJob, runNode, runRanks, unexpected } from "./support/run-ranks.js";

const example = new URL("../../../examples/lattice-boltzmann/dist/", import.meta.url).href;
const main = fileURLToPath(new URL("main.js", example));

/**
 * Flows, as functions that return digests of several times. Those of one size share their programs, which PoCL takes long to
 * compile.
 */
const flows = {
  // All kinds of cells are next to cells of other ranks. A slice is the one below, moved by a cell, so that all have as many cells
  // next to walls.
  box: `
    const kinds = { ".": "fluid", w: "wall", m: "moving wall", o: "open" };
    const velocityAt = (x, y, z) => [0.05 * Math.sin(x + 2 * z), 0.04 * Math.cos(3 * y + z), 0.03 * Math.sin(y * z)];
    for (const [rows, shift] of [[["w....", "...o."], 1], [["wm..o", "....."], 1], [["m....", ".o..."], 4]]) {
      const cellAt = (x, y, z) => kinds[rows[y][(x + shift * z) % 5]];
      const { steps, read } = await lattice(queue, { ...options, size: [5, 2, 5], cellAt, velocityAt });
      for (let pair = 0; pair < 11; pair++) {
        steps.launch(queue, { omega: 1.2, inflow: 0.05 + pair / 1e3, wall: 0.1 });
        if (pair % 5 > 0) continue;
        const flow = await read();
        if (flow !== undefined) found.push(digest(flow.density, ...flow.velocity));
      }
    }`,
  vortices: `
    for (const steps of [2, 20]) {
      const decay = await vortices(queue, { ...options, cells: 5, viscosity: 0.05, steps });
      found.push(digest(Float64Array.of(decay?.viscosity, decay?.error, decay?.massChange)));
    }`,
  wake: `
    const draw = async ({ vorticity }) => found.push(digest(vorticity));
    await wake(queue, { ...options, cells: 8, reynolds: 40, steps: 12, outputs: [{ steps: 4, scale: 2, draw }] });`,
} as const;

/** Numbers of different digests of each flow. */
const changes = { box: 9, vortices: 2, wake: 3 } as const;

/** A flow, and how its populations are stored. */
type Case = readonly [flow: keyof typeof flows, precision: "float32" | "float16"];

/** Prints the digests of some flows: on the root alone, on all ranks with and without overlap. */
const comparison = (cases: readonly Case[]): string => `
  import { createHash } from "node:crypto";
  import { lattice } from "${example}lattice.js";
  import { divisionAmong, joinJob } from "${example}ranks.js";
  import { vortices } from "${example}vortices.js";
  import { wake } from "${example}wake.js";
  const { context, isRoot, divide, world } = await joinJob();
  const queue = new CommandQueue(context);
  const digest = (...arrays) => {
    const hash = createHash("sha256");
    for (const array of arrays) hash.update(array);
    return hash.digest("hex");
  };
  const flows = { ${Object.entries(flows)
    .map(([name, source]) => `${name}: async (options, found) => {${source}}`)
    .join(", ")} };
  for (const [flow, precision] of ${JSON.stringify(cases)}) {
    const run = async (division) => {
      const found = [];
      await flows[flow]({ precision, ...division }, found);
      return found;
    };
    const [overlapped, ordered] = [await run({ divide }), await run({ divide: divisionAmong(world, { overlaps: false }) })];
    if (isRoot) print([flow, precision, await run({}), overlapped, ordered]);
  }`;

/** The output of one process without MPI, which is the same for each MPI. */
let alone: Record<string, string | Buffer> | undefined;

describeMpis((mpi) => {
  test.each<[ranks: number, cases: readonly Case[]]>([
    [1, [["box", "float32"]]],
    [
      2,
      [
        ["box", "float32"],
        ["box", "float16"],
        ["wake", "float32"],
      ],
    ],
    [3, [["box", "float32"]]],
    [
      4,
      [
        ["box", "float32"],
        ["vortices", "float32"],
      ],
    ],
  ])("the same bits on %d ranks as without MPI: %j", async (ranks, cases) => {
    const results = resultsOf(await runRanks(mpi, ranks, comparison(cases))) as [
      flow: keyof typeof flows,
      precision: string,
      ...digests: string[][],
    ][];
    expect(results.map(([flow, precision]) => `${flow} ${precision}`)).toEqual(
      cases.map((each) => each.join(" ")).sort(),
    );
    for (const [flow, , expected, overlapped, ordered] of results) {
      // The flow changes.
      expect(new Set(expected).size).toBe(changes[flow]);
      expect(overlapped).toEqual(expected);
      expect(ordered).toEqual(expected);
    }
  });

  test("the program prints and draws the same on two ranks", async () => {
    alone ??= await outputOf((args) => runNode([main, ...args]));
    expect(Object.keys(alone)).toContain("vorticity-000010.png");
    expect(await outputOf((args) => runJob(mpi, 2, [main, "--mpi", ...args]))).toEqual(alone);
  });
});

/** Returns the files that the program writes, by name, and what it prints, without the time. */
async function outputOf(run: (args: readonly string[]) => Promise<JobEnd>): Promise<Record<string, string | Buffer>> {
  const folder = mkdtempSync(path.join(tmpdir(), "cl-mpi-lattice-"));
  try {
    const files = ["--out", folder, "--animate", path.join(folder, "wake.png")];
    const end = await run(["--cells", "8", "--steps", "10", ...files]);
    expect([end.code, unexpected(end)]).toEqual([0, ""]);
    return {
      printed: end.stdout.replaceAll(folder, "FOLDER").replace(/\d+ million/, "SOME million"),
      ...Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(path.join(folder, name))])),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
