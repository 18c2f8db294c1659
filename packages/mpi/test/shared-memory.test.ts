/** Ranks of a computer read each other's messages where they are, without copies by MPI. */
import { sample } from "@cl/testing/level";
import { expect, test } from "vitest";

import { describeMpis, resultsOf, runRanks } from "./support/run-ranks.js";

/** How often this process has opened memory of other ranks. */
const opened = `
  const { readdirSync, readFileSync, readlinkSync, statSync } = await import("node:fs");
  const opened = () => {
    const own = new Set();
    const lines = readFileSync("/proc/self/maps", "utf8").split("\\n").filter((line) => line.includes("/memfd:cl-mpi"));
    for (const file of readdirSync("/proc/self/fd")) {
      try {
        if (readlinkSync("/proc/self/fd/" + file).startsWith("/memfd:cl-mpi")) own.add(statSync("/proc/self/fd/" + file).ino);
      } catch {}
    }
    return lines.filter((line) => !own.has(Number(line.trim().split(/\\s+/u)[4]))).length;
  };
`;

/** Each rank sends a row to the next one, which keeps what has arrived in each turn. */
const ring = `
  const mpi = await Mpi.init({ processorWarning: false });
  const { world } = mpi;
  const { rank, size } = world;
  const context = mpi.createContext();
  const queue = new CommandQueue(context);
  const cells = 5000;
  const grid = await Grid.create(world, { shape: [size, cells], ranks: [size, 1], ghosts: [1, 0], periodic: true });
  const u = grid.field(context, Int32Array);
  const box = (row) => ({ start: [row, 0], end: [row + 1, cells] });
  const boxes = ([y]) => (y === 1 ? { sent: [box(1)], received: [] } : { sent: [], received: [box(0)] });
  const program = await new Program(context, \`
    __kernel void fill(__global int *u, const int turn, const int rank) {
      const size_t i = get_global_id(0);
      u[\${cells} + i] = turn * 1000 + rank;
      u[i] = -1;
    }
    __kernel void keep(__global const int *u, __global int *kept, const int turn, const int work) {
      const size_t i = get_global_id(0);
      int value = u[i];
      for (int k = 0; k < work; k++) value = value * 3 + k;
      for (int k = work - 1; k >= 0; k--) value = (value - k) * (int)0xaaaaaaab;
      kept[turn * 2 + (i != 0)] = value;
    }\`).build();
`;

describeMpis((mpi) => {
  test("a rank opens the memory of its neighbors, unless CL_MPI_SHARED_MEMORY is 0", { tags: "ci" }, async () => {
    const program = `
      ${ring} ${opened}
      const exchange = grid.exchangeLauncher("ring", [u], { boxes, corners: false });
      const before = opened();
      for (let turn = 0; turn < 5; turn++) await exchange.enqueue(queue).wait();
      const after = opened();
      exchange.release();
      await queue.finish();
      await world.barrier();
      for (let i = 0; i < 100 && opened() > 0; i++) await new Promise((resolve) => setTimeout(resolve, 20));
      print([before, after, opened()]);
      await mpi.finalize();`;
    expect(resultsOf(await runRanks(mpi, 2, program))).toEqual([
      [0, 1, 0],
      [0, 1, 0],
    ]);
    const alone = await runRanks(mpi, 2, program, { env: { CL_MPI_SHARED_MEMORY: "0" } });
    expect(resultsOf(alone)).toEqual([
      [0, 0, 0],
      [0, 0, 0],
    ]);
  });

  test.each(sample([1000, 1], 1))(
    "turns enqueued %d at once deliver their own messages",
    { tags: "ci" },
    async (atOnce) => {
      const program = `
      ${ring}
      const turns = 120;
      // The last rank is slow.
      const kept = DeviceBuffer.from(context, new Int32Array(2 * turns));
      const step = new ListLauncher("step").push(
        new KernelLauncher("fill", program, { kernel: "fill", args: [u.memory, rank], parameters: ["turn"], global: cells }),
        grid.exchangeLauncher("ring", [u], { boxes, corners: false }),
        new KernelLauncher("keep", program, { kernel: "keep", args: [u.memory, kept, rank === size - 1 ? 300 : 0], parameters: ["turn"], global: cells }),
      );
      for (let turn = 0; turn < turns; turn++) {
        step.launch(queue, { turn });
        if (turn % ${atOnce} === ${atOnce} - 1) await queue.finish();
      }
      const found = await queue.read(kept, Int32Array);
      const from = (rank + size - 1) % size;
      const wrong = [...found].findIndex((value, i) => value !== Math.floor(i / 2) * 1000 + from);
      print(wrong < 0 ? "right" : [wrong, ...found.subarray(wrong, wrong + 4)]);
      await mpi.finalize();`;
      const jobs: readonly (readonly [number, NodeJS.ProcessEnv])[] = [
        [3, {}],
        [2, {}],
        [3, { CL_MPI_SHARED_MEMORY: "0" }],
      ];
      for (const [ranks, env] of sample(jobs, 1)) {
        const results = resultsOf(await runRanks(mpi, ranks, program, { env }));
        expect(results).toEqual(Array.from({ length: ranks }, () => "right"));
      }
    },
  );
});
