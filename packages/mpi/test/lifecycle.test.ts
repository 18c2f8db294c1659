/** What happens when ranks fail, end early or wait for each other: the job ends or says why it waits. */
import { cpus } from "node:os";

import { expect, test } from "vitest";

import { needs } from "@cl/base/testing";
import { sample } from "@cl/testing/level";

import { describeMpis, resultsOf, runRanks } from "./support/run-ranks.js";

const start = `
  const mpi = await Mpi.init({ stallWarning: 1 });
  const { world } = mpi;
  const { rank } = world;
  const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
`;

describeMpis((mpi) => {
  const ends: readonly (readonly [name: string, program: string, message: RegExp])[] = [
    ["throws", `if (rank === 1) throw new Error("the reason"); await world.barrier();`, /rank 1: Error: the reason/],
    [
      "rejects a promise without a handler",
      `if (rank === 1) Promise.reject(new Error("the reason")); await world.barrier();`,
      /rank 1: Error: the reason/,
    ],
    [
      "exits with a code",
      `if (rank === 1) process.exit(3); await world.barrier();`,
      /rank 1: ends with exit code 3; the job ends/,
    ],
    [
      "ends while a receive waits",
      `if (rank === 1) { void world.recv(new Uint8Array(1), 0); process.exit(0); } await sleep(20000);`,
      /rank 1: ends with 1 operation that has not ended, such as a receive of 1 bytes from rank 0 with any tag; the job ends/,
    ],
    ["is killed", `if (rank === 1) process.kill(process.pid, "SIGKILL"); await world.barrier();`, /./],
    [
      "aborts",
      `if (rank === 1) mpi.abort("has seen enough", 7); await sleep(20000);`,
      /rank 1: has seen enough; the job ends/,
    ],
  ];
  test.each(sample(ends, 3))("the job ends when a rank %s", async (_, program, message) => {
    const end = await runRanks(mpi, 3, start + program, { limit: 60_000 });
    expect(end.code).not.toBe(0);
    expect(end.code).not.toBeNull();
    expect(end.stderr + end.stdout).toMatch(message);
  });

  test("a rank that waits long says what for", { tags: "full" }, async () => {
    const program = `
      if (rank === 1) { await sleep(2500); await world.send(Int32Array.of(5), 0, { tag: 3 }); await sleep(2500); world.sendSync(Int32Array.of(6), 0); }
      else { const x = new Int32Array(1); await world.recv(x, 1, { tag: 3 }); world.recvSync(x, 1); print([x[0]]); }
      await mpi.finalize();`;
    const end = await runRanks(mpi, 2, start + program);
    expect(resultsOf(end)).toEqual([[6]]);
    expect(end.stderr).toContain("rank 0: has waited 1 s for a receive of 4 bytes from rank 1 with tag 3");
    expect(end.stderr).toContain("rank 0: has waited 1 s for a receive of 4 bytes from rank 1 with any tag");
  });

  test("ranks that wait for a call of the others say so", { tags: "full" }, async () => {
    const program = `
      if (rank === 1) { await sleep(2500); await world.split(0); await sleep(2500); await world.duplicate(); world.sendSync(new Uint8Array(1), 0); }
      else {
        await world.split(0);
        const duplicate = world.duplicate();
        // The engine is in a call that waits, so that this waits, too.
        world.recvSync(new Uint8Array(1), 1);
        await duplicate;
      }
      await mpi.finalize();`;
    const end = await runRanks(mpi, 2, start + program);
    expect(end.code, end.stderr).toBe(0);
    expect(end.stderr).toContain("rank 0: has waited 1 s for the other ranks to call split\n");
    expect(end.stderr).toContain("rank 0: has waited 1 s for a call that waits for other ranks, such as split()\n");
  });

  test("a rank that waits for one that is done says so, and so does that one", { tags: "full" }, async () => {
    const program = `
      if (rank === 0) { void world.recv(new Uint8Array(1), 1); await sleep(7000); mpi.abort("has waited in vain"); }`;
    const end = await runRanks(mpi, 2, start + program);
    expect(end.code).not.toBe(0);
    expect(end.stderr).toContain("rank 0: has waited 1 s for a receive of 1 bytes from rank 1 with any tag");
    expect(end.stderr).toContain("rank 1: is done, and has waited 5 s for the other ranks to end MPI");
    expect(end.stderr).toContain("rank 0: has waited in vain; the job ends");
  });

  test("a rank that its launcher has bound says so, and what to do", { tags: "full" }, async (run) => {
    needs(run, cpus().length > 1, "this computer has one processor");
    const options = {
      openmpi: ["--allow-run-as-root", "--quiet", "--bind-to", "core"],
      mpich: ["-bind-to", "core"],
    }[mpi.name];
    const bound = { ...mpi, options };
    const program = (warns: boolean): string => `
      await Mpi.init({ processorWarning: ${warns} });
      print([process.env.POCL_MAX_PTHREAD_COUNT]);`;
    const env = { POCL_MAX_PTHREAD_COUNT: undefined, POCL_CPU_MAX_CU_COUNT: undefined };
    const end = await runRanks(bound, 1, program(true), { env });
    expect(resultsOf(end)).toEqual([["1"]]);
    const all = cpus().length;
    expect(end.stderr).toMatch(
      new RegExp(
        `rank 0: is bound to 1 of ${all} processors, but its share is ${all}; start the job with mpirun --?bind-to none\n`,
      ),
    );
    expect((await runRanks(bound, 1, program(false), { env })).stderr).toBe("");
  });

  test("too many ranks, and too many threads, are reported once", { tags: "full" }, async () => {
    const program = `await mpi.finalize(); print([process.env.POCL_MAX_PTHREAD_COUNT]);`;
    const all = cpus().length;
    const many = await runRanks(mpi, all + 1, start + program);
    expect(resultsOf(many)).toHaveLength(all + 1);
    expect(many.stderr).toBe(
      `@cl/mpi: rank 0: the ${all + 1} ranks of this node have ${all} ${all === 1 ? "processor" : "processors"}; start at most ${all} there\n`,
    );
    const threads = await runRanks(mpi, 1, start + program, { env: { POCL_MAX_PTHREAD_COUNT: String(all + 1) } });
    expect(resultsOf(threads)).toEqual([[String(all + 1)]]);
    expect(threads.stderr).toBe(
      `@cl/mpi: rank 0: the ranks of this node (1) have ${all + 1} threads of PoCL each, but only ${all} processors; set POCL_MAX_PTHREAD_COUNT to ${all} or less\n`,
    );
  });

  test("a rank that is done says that it waits for the others, and the job ends well", { tags: "full" }, async () => {
    const program = `if (rank === 1) await sleep(7000); print(rank);`;
    const end = await runRanks(mpi, 2, start + program);
    expect(end.code).toBe(0);
    expect(end.stderr).toContain("rank 0: is done, and has waited 5 s for the other ranks to end MPI");
    expect(end.stderr).not.toContain("rank 1");
  });

  test("WebAssembly still traps after MPI has started", { tags: "ci" }, async () => {
    const program = `
      // (memory 1) (func (export "f") (drop (i32.load (i32.const 0x7ffffff0))))
      const bytes = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 5, 3, 1, 0, 1, 7, 5, 1, 1, 102, 0, 0, 10, 14, 1, 12, 0, 65, 240, 255, 255, 255, 7, 40, 0, 0, 26, 11);
      const { instance } = await WebAssembly.instantiate(bytes);
      await expectError("trap", () => instance.exports.f(), /out of bounds/);
      await mpi.finalize();
      print("done");`;
    expect(resultsOf(await runRanks(mpi, 2, start + program))).toEqual(["done", "done"]);
  });

  test("the wrong MPI is refused", { tags: "full" }, async () => {
    const other = mpi.name === "openmpi" ? "libmpich.so.12" : "libmpi.so.40";
    const program = `
      let message = "nothing was thrown";
      try { await Mpi.init(); } catch (error) { message = error.message; }
      print(message);
      process.exit(0);`;
    const end = await runRanks(mpi, 2, program, { env: { CL_MPI_LIBRARY: other } });
    for (const message of resultsOf(end)) {
      expect(message).toMatch(/the launcher started 2 processes, but .* sees only this one|cannot open shared object/);
    }
  });

  test("without an MPI, the error tells what was tried and what to install", { tags: "ci" }, async () => {
    const program = `
      import { NoMpiError } from "@cl/mpi";
      let error;
      try { await Mpi.init(); } catch (caught) { error = caught; }
      print([error instanceof NoMpiError, error?.code, error?.message]);`;
    const end = await runRanks(mpi, 1, program, { env: { CL_MPI_LIBRARY: "libno-such-mpi.so" } });
    const [[isOfClass, code, message]] = resultsOf(end) as [[boolean, string, string]];
    expect([isOfClass, code]).toEqual([true, "ERR_CL_NO_MPI"]);
    expect(message).toContain("libno-such-mpi.so");
    expect(message).toContain("apt install openmpi-bin");
  });

  test("a second start returns the same object, and workers are refused", { tags: "ci" }, async () => {
    const program = `
      import { Worker } from "node:worker_threads";
      const first = await Mpi.init();
      if (first !== await Mpi.init()) throw new Error("another object");
      const worker = new Worker(new URL("data:text/javascript," + encodeURIComponent(\`
        import { parentPort, workerData } from "node:worker_threads";
        const { Mpi } = await import(workerData);
        try { await Mpi.init(); parentPort.postMessage("nothing was thrown"); } catch (error) { parentPort.postMessage(error.message); }\`)),
        { workerData: import.meta.resolve("@cl/mpi") });
      const message = await new Promise((resolve, reject) => { worker.on("message", resolve); worker.on("error", reject); });
      await first.finalize();
      print(message);`;
    const [message] = resultsOf(await runRanks(mpi, 1, program));
    expect(message).toMatch(/main thread/);
  });
});
