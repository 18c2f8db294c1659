/** How jobs are recognized, and grids divided, without MPI. */
import { describe, expect, test } from "vitest";

import { bestDivision, directions, partOf } from "../../src/boxes.js";
import { flavorOf, launchOf } from "../../src/library.js";

describe("the environment of a launcher", () => {
  test.each([
    [
      "Open MPI",
      { OMPI_COMM_WORLD_SIZE: "8", OMPI_COMM_WORLD_LOCAL_SIZE: "4", OMPI_COMM_WORLD_LOCAL_RANK: "3" },
      "openmpi",
    ],
    ["MPICH", { PMI_SIZE: "8", MPI_LOCALNRANKS: "4", MPI_LOCALRANKID: "3" }, "mpich"],
    ["SLURM", { SLURM_STEP_NUM_TASKS: "8", SLURM_TASKS_PER_NODE: "4", SLURM_LOCALID: "3" }, undefined],
  ])("of %s", (_, environment, flavor) => {
    expect(launchOf(environment)).toEqual({ flavor, size: 8, localSize: 4, localRank: 3 });
  });

  test("without a launcher, and with what cannot be read", () => {
    const nothing = { flavor: undefined, size: undefined, localSize: undefined, localRank: undefined };
    expect(launchOf({})).toEqual(nothing);
    expect(launchOf({ SLURM_TASKS_PER_NODE: "4(x2)", SLURM_LOCALID: "" })).toEqual(nothing);
  });

  test.each([
    ["Open MPI v4.1.4, package: Debian OpenMPI", "openmpi"],
    ["MPICH Version:\t4.0.2", "mpich"],
    ["Intel(R) MPI Library 2021.9 for Linux* OS", "mpich"],
    ["CRAY MPICH version 8.1", "mpich"],
    ["Another MPI 1.0", "mpiabi"],
  ])("%s is called through the shim %s", (version, flavor) => {
    expect(flavorOf(version)).toBe(flavor);
  });
});

describe("a division", () => {
  test.each([
    [4, [100, 100], [0, 0], [4, 1]],
    [4, [1000, 10], [0, 0], [4, 1]],
    [8, [64, 64, 64], [0, 0, 0], [4, 2, 1]],
    [64, [64, 64, 64], [0, 0, 0], [4, 4, 4]],
    [6, [10, 10], [3, 0], [3, 2]],
    [4, [3, 100], [0, 0], [1, 4]],
    [7, [3, 3], [0, 0], []],
    [4, [8, 8], [3, 0], []],
  ])("of %d ranks for %j cells, with %j given, is %j", (ranks, shape, given, expected) => {
    expect(bestDivision(ranks, shape, given)).toEqual(expected);
  });

  test("gives each cell to one rank, and parts differ by at most one cell", () => {
    for (const cells of [1, 7, 16, 23]) {
      for (const count of [1, 2, 3, 7].filter((parts) => parts <= cells)) {
        const parts = Array.from({ length: count }, (_, index) => partOf(cells, count, index));
        expect(parts[0]?.[0]).toBe(0);
        expect(parts.at(-1)?.[1]).toBe(cells);
        for (const [i, [start, end]] of parts.entries()) {
          if (i > 0) expect(start).toBe(parts[i - 1]?.[1]);
          expect([Math.floor(cells / count), Math.ceil(cells / count)]).toContain(end - start);
        }
      }
    }
  });

  test("has neighbors on all sides, or on those of one axis", () => {
    expect([1, 2, 3].map((dimensions) => directions(dimensions, true).length)).toEqual([2, 8, 26]);
    expect([1, 2, 3].map((dimensions) => directions(dimensions, false).length)).toEqual([2, 4, 6]);
  });
});
