/** Statistics and traces of all ranks: in one table, on one clock. */
import { expect, test } from "vitest";

import { describeMpis, rankCounts, resultsOf, runRanks } from "./support/run-ranks.js";

/** Two exchanges, a reduction and kernels, on a queue with profiling. */
const timestep = `
  const mpi = await Mpi.init();
  const { world } = mpi;
  const { rank, size } = world;
  const context = mpi.createContext();
  const queue = new CommandQueue(context, { profiling: true });
  const grid = await Grid.create(world, { shape: [8 * size, 16], periodic: true });
  const u = grid.field(context, Float32Array);
  const sum = DeviceBuffer.from(context, new Float64Array(1));
  const program = await new Program(context, "__kernel void work(__global float *x) { x[get_global_id(0)] += 1; }").build();
  const work = (name) => new KernelLauncher(name, program, { args: [u.memory], global: 4 });
  const profiler = new Profiler();
  const { begin, end } = grid.splitExchange("overlapped", [u]);
`;

describeMpis((mpi) => {
  test.each(rankCounts)("a table of %d ranks has each launcher, with its turns and its imbalance", async (ranks) => {
    const program = `${timestep}
      const step = new ListLauncher("step", { profiler }).push(
        work("work"), grid.exchangeLauncher("ghosts", [u]), await world.allreduceLauncher("sum", sum),
        begin, work("work"), end, work(rank % 2 === 0 ? "even" : "odd"),
      );
      const steps = 20;
      for (let t = 0; t < steps; t++) step.launch(queue);
      await queue.finish();
      const root = size - 1;
      const found = await rankStatistics(world, profiler, root);
      const own = await rankStatistics(world, step, root);
      if ((found === undefined) === (rank === root)) throw new Error("statistics on the wrong rank");
      await mpi.finalize();
      if (found !== undefined) {
        const { rows, work, waiting, snapshots } = found;
        for (const { totals, ranks, min, mean, max, imbalance, slowest, total } of [...rows, work, waiting]) {
          const sum = totals.reduce((a, b) => a + b, 0);
          if (Math.abs(sum - total) > 1e-6 * sum || Math.abs(sum / totals.length - mean) > 1e-6 * sum) throw new Error("mean");
          if (min !== Math.min(...totals) || max !== Math.max(...totals) || totals[ranks.indexOf(slowest)] !== max) throw new Error("max");
          // One rank waits for nothing.
          if (max === 0 && size === 1 && Number.isNaN(imbalance)) continue;
          if (!(Math.abs(max / mean - 1 - imbalance) < 1e-9) || !(min > 0)) throw new Error("imbalance " + imbalance);
        }
        const waits = rows.filter(({ kind }) => kind === "wait").reduce((sum, { total }) => sum + total, 0);
        if (Math.abs(waits - waiting.total) > 1e-6 * waits) throw new Error("waiting");
        const of = ({ rows }) => rows.map(({ launcher, kind, count, ranks }) => [launcher, kind, count, ranks]).sort();
        if (JSON.stringify(of(found)) !== JSON.stringify(of(own))) throw new Error("statistics of the list");
        print([of(found), found.merged.count, snapshots.length, found.table().split("\\n").slice(1).map((line) => line.split("  ")[0]).sort()]);
      }`;
    const [[rows, count, snapshots, lines]] = resultsOf(await runRanks(mpi, ranks, program)) as [
      [[string, string, number, number[]][], number, number, string[]],
    ];
    const all = Array.from({ length: ranks }, (_, rank) => rank);
    const [even, odd] = [0, 1].map((rest) => all.filter((rank) => rank % 2 === rest)) as [number[], number[]];
    const expected: [string, string, number, number[]][] = [
      ["step > even", "kernel", 20, even],
      ["step > ghosts", "wait", 20, all],
      ["step > overlapped, begin", "other", 20, all],
      ["step > overlapped, end", "wait", 20, all],
      ["step > sum", "wait", 20, all],
      ["step > work", "kernel", 40, all],
    ];
    if (odd.length > 0) expected.splice(2, 0, ["step > odd", "kernel", 20, odd]);
    expect(rows).toEqual(expected);
    expect([count, snapshots]).toEqual([7 * 20 * ranks, ranks]);
    const named = (name: string, of: readonly number[]): string =>
      of.length === ranks ? name : `${name} (${of.length === 1 ? "rank" : "ranks"} ${of.join(", ")})`;
    expect(lines.map((line) => line.replace(/: mean.*/, ""))).toEqual(
      [...expected.map(([name, , , of]) => named(name, of)), "work", "waiting"].sort(),
    );
  });

  test("without commands, the table says what statistics require", { tags: "ci" }, async () => {
    const program = `${timestep}
      const step = new ListLauncher("step", { profiler }).push(grid.exchangeLauncher("ghosts", [u]));
      const unprofiled = new CommandQueue(context);
      step.launch(unprofiled);
      await unprofiled.finish();
      const statistics = await rankStatistics(world, step);
      await mpi.finalize();
      if (statistics) print([statistics.rows[0].count, statistics.table().split("\\n").at(-1)]);`;
    const [[count, hint]] = resultsOf(await runRanks(mpi, 2, program)) as [[number, string]];
    expect(count).toBe(0);
    expect(hint).toContain("profiling: true");
  });

  test.each(rankCounts)(
    "traces of %d ranks are on the root's clock, each with its own process",
    { tags: "ci" },
    async (ranks) => {
      const program = `
      // As if each rank ran on a machine that started at another time, some of them much later.
      const { bigint } = process.hrtime;
      const shift = [0n, 7_000_000_000_000n, -3_000_000_000n, 5n][Number(process.env.OMPI_COMM_WORLD_RANK ?? process.env.PMI_RANK)];
      process.hrtime.bigint = () => bigint.call(process.hrtime) + shift;
      ${timestep}
      const step = new ListLauncher("step", { profiler }).push(work("work"), grid.exchangeLauncher("ghosts", [u]), begin, end);
      // Ranks take turns, with a pause between them.
      for (let turn = 0; turn < 3 * size; turn++) {
        if (turn % size === rank) {
          await new HostLauncher("turn " + turn, () => undefined, { profiler }).enqueue(queue).wait();
          await new KernelLauncher("turn " + turn, program, { args: [u.memory], global: 1, profiler }).enqueue(queue).wait();
        }
        await new Promise((resolve) => setTimeout(resolve, 10));
        await world.barrier();
      }
      for (let t = 0; t < 5; t++) step.launch(queue);
      await queue.finish();
      const own = profiler.trace();
      const trace = await gatherTrace(world, own);
      const statistics = await rankStatistics(world, profiler);
      await mpi.finalize();
      if ((trace === undefined) === (rank === 0)) throw new Error("trace on the wrong rank");
      if (trace !== undefined) {
        // The root's clock is that of the trace.
        if (size === 1 && trace.origin !== own.origin) throw new Error("origin");
        const turns = (list) => list.filter(({ name }) => name.startsWith("turn")).sort((a, b) => a.started - b.started).map(({ name }) => name);
        const waits = trace.commands.filter(({ kind }) => kind === "wait");
        if (waits.some(({ started, ended, launcher }) => ended < started || !launcher.startsWith("step > "))) throw new Error("waits");
        const chrome = JSON.parse(chromeTrace(trace)).traceEvents.filter(({ name }) => name === "process_name").map(({ args }) => args.name.split(":")[0]);
        const threads = [...new Set(trace.hostSpans.map(({ thread }) => thread))].sort();
        const report = htmlReport(trace, { statistics: statistics.rows });
        print([turns(trace.commands), turns(trace.hostSpans), waits.length, chrome, threads, report.includes('data-column="imbalance"')]);
      }`;
      const [result] = resultsOf(await runRanks(mpi, ranks, program));
      const all = Array.from({ length: ranks }, (_, rank) => `rank ${rank}`);
      const turns = Array.from({ length: 3 * ranks }, (_, turn) => `turn ${turn}`);
      expect(result).toEqual([turns, turns, 2 * 5 * ranks, ["host", ...all], all, true]);
    },
  );

  test("operations of launchers end with them, after the turns that were enqueued", { tags: "ci" }, async () => {
    const program = `${timestep}
      import { createRequire } from "node:module";
      import { setFlagsFromString } from "node:v8";
      import { runInNewContext } from "node:vm";
      import { existsSync } from "node:fs";
      const require = createRequire(import.meta.url);
      const places = ["build/Release", \`prebuilds/\${process.platform}-\${process.arch}\`];
      const files = places.map((place) => require.resolve("@cl/mpi/package.json").replace("package.json", place + "/cl_mpi.node"));
      const { relayedCount } = require(files.find((file) => existsSync(file)));
      setFlagsFromString("--expose-gc");
      const gc = runInNewContext("gc");
      const first = relayedCount();
      // Released while its turns wait for the other rank.
      const released = grid.exchangeLauncher("released", [u]);
      if (rank === 1) await new Promise((resolve) => setTimeout(resolve, 200));
      for (let t = 0; t < 10; t++) released.launch(queue);
      released.release();
      await queue.finish();
      while (relayedCount() > first) await new Promise(setImmediate);
      // Dropped, with and without launches.
      await (async () => {
        for (let i = 0; i < 20; i++) {
          const dropped = grid.exchangeLauncher("dropped " + i, [u]);
          if (i % 2 === 0) dropped.launch(queue);
          (await world.allreduceLauncher("dropped", sum)).launch(queue);
        }
      })();
      const many = relayedCount();
      await queue.finish();
      while (relayedCount() > first) {
        gc();
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      // Those that are in use stay.
      new ListLauncher("step").push(begin, end).launch(queue);
      await queue.finish();
      const kept = grid.exchangeLauncher("kept", [u]);
      await mpi.finalize();
      kept.release();
      print([many - first]);`;
    expect(resultsOf(await runRanks(mpi, 2, program))).toEqual([[40], [40]]);
  });

  test("values of all ranks are gathered as JSON", { tags: "ci" }, async () => {
    const program = `
      const mpi = await Mpi.init();
      const { world } = mpi;
      const { rank, size } = world;
      const value = { rank, text: "ä".repeat(rank), list: [rank, null] };
      const found = await world.gatherJson(value, size - 1);
      const blocking = world.gatherJsonSync(rank);
      await mpi.finalize();
      print([rank, found ?? "none", blocking ?? "none"]);`;
    const values = [0, 1, 2].map((rank) => ({ rank, text: "ä".repeat(rank), list: [rank, null] }));
    expect(resultsOf(await runRanks(mpi, 3, program))).toEqual([
      [0, "none", [0, 1, 2]],
      [1, "none", "none"],
      [2, values, "none"],
    ]);
  });

  test("mistakes throw before MPI is called", { tags: "ci" }, async () => {
    const program = `${timestep}
      await expectError("communicator", () => rankStatistics(mpi, profiler), /communicator must be a Communicator/);
      await expectError("source", () => rankStatistics(world, {}), /source must be a Launcher or a Profiler/);
      await expectError("source", () => rankStatistics(world), /source must be a Launcher or a Profiler/);
      await expectError("root", () => rankStatistics(world, profiler, 2), /root must be a rank from 0 to 1/);
      await expectError("communicator", () => gatherTrace(mpi, profiler.trace()), /communicator must be a Communicator/);
      await expectError("trace", () => gatherTrace(world, {}), /trace.version/);
      await expectError("root", () => gatherTrace(world, profiler.trace(), -1), /root must be a rank from 0 to 1/);
      await expectError("value", () => world.gatherJson(undefined), /value must be a value that JSON can represent/);
      await world.barrier();
      await mpi.finalize();
      print(["done"]);`;
    expect(resultsOf(await runRanks(mpi, 2, program))).toEqual([["done"], ["done"]]);
  });
});
