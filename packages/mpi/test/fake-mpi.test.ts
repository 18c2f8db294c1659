/** What happens when each function of an MPI fails: an error that names it, and never a crash or a wait without end. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { needs } from "@cl/base/testing";
import { sample } from "@cl/testing/level";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { type JobEnd, resultsOf, runAlone } from "./support/run-ranks.js";

const support = fileURLToPath(new URL("support/", import.meta.url));
/** Of the installed package if packed packages are tested. */
const native = path.join(createRequire(import.meta.url).resolve("@cl/mpi/package.json"), "../native");
let folder: string;
let library: string | undefined;

beforeAll(() => {
  const build = path.join(support, "../../build");
  mkdirSync(build, { recursive: true });
  folder = mkdtempSync(path.join(build, "fake-mpi-"));
  const output = path.join(folder, "fake-mpi.so");
  const options = ["-std=gnu11", "-O1", "-g", "-fPIC", "-shared", "-fvisibility=hidden", "-Wall", "-Wextra", "-Werror"];
  options.push("-I", native);
  try {
    execFileSync(process.env["CC"] ?? "cc", [...options, path.join(support, "fake-mpi.c"), "-o", output]);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  library = output;
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});
beforeEach((run) => needs(run, library !== undefined, "there is no C compiler"));

/** Runs a program with the fake MPI. The limit ends a program that hangs, whose code is then null. */
function runFake(source: string, env: NodeJS.ProcessEnv = {}): Promise<JobEnd> {
  const chosen = { CL_MPI_LIBRARY: library, CL_MPI_SHIM: library, FAKE_MPI_RANKS: "2" };
  return runAlone(source, { env: { ...chosen, ...env }, limit: 100_000 });
}

/** Error codes of an MPI. The first means that a message is longer than its memory. */
const codes = sample([15, 1, 2147483647, -1], 1);

/** A call that fails if a function of the table does. */
interface Case {
  readonly name: string;
  /** Evaluated before the function fails; `prepared` is its value. */
  readonly prepare?: string;
  readonly call: string;
  readonly message: (code: number) => string;
}

/** The errors of operations, of calls that the engine's thread makes, and of those of the JavaScript thread. */
const operation = (name: string, routine: string) => (code: number) =>
  code === 15
    ? `${name} failed: the message is longer than its memory`
    : `${name} failed: ${routine}: fake error ${code}`;
const work = (name: string, routine: string) => (code: number) => `${name} failed: ${routine}: fake error ${code}`;
const direct = (routine: string) => (code: number) => `${routine} failed: fake error ${code}`;

/** Both forms of an operation. */
function forms(name: string, method: string, args: string, subject: string, routine: string): Case[] {
  return [method, `${method}Sync`].map((each) => ({
    name,
    call: `world.${each}(${args})`,
    message: operation(subject, routine),
  }));
}

const cases: readonly Case[] = [
  // First, because the largest tag is asked for once.
  { name: "largest_tag", call: "world.send(x, 1)", message: direct("MPI_Comm_get_attr") },
  { name: "return_errors", call: "world.duplicate()", message: direct("MPI_Comm_set_errhandler") },
  { name: "comm_rank", call: "world.duplicate()", message: direct("MPI_Comm_rank") },
  { name: "comm_size", call: "world.duplicate()", message: direct("MPI_Comm_size") },
  { name: "comm_dup", call: "world.duplicate()", message: work("duplicate", "MPI_Comm_dup") },
  {
    name: "comm_free",
    prepare: "world.duplicate()",
    call: "prepared.release()",
    message: work("release", "MPI_Comm_free"),
  },
  { name: "comm_split", call: "world.split(0)", message: work("split", "MPI_Comm_split") },
  { name: "comm_split_shared", call: "world.splitShared()", message: work("splitShared", "MPI_Comm_split_type") },
  { name: "cart_create", call: "world.cartesian({ shape: [2] })", message: work("cartesian", "MPI_Cart_create") },
  { name: "dims_create", call: "world.cartesian({ shape: [0, 0] })", message: direct("MPI_Dims_create") },
  ...forms("isend", "send", "x, 1", "send to rank 1", "MPI_Isend"),
  ...forms("irecv", "recv", "x, 1", "recv from rank 1", "MPI_Irecv"),
  ...forms("irecv", "recv", "x", "recv from any rank", "MPI_Irecv"),
  ...forms("test", "send", "x, 1", "send to rank 1", "MPI_Test"),
  ...forms("test", "recv", "x, 1", "recv from rank 1", "MPI_Test"),
  ...forms("test", "allgather", "x", "allgather", "MPI_Test"),
  ...forms("ibarrier", "barrier", "", "barrier", "MPI_Ibarrier"),
  ...forms("ibcast", "broadcast", "x, 1", "broadcast", "MPI_Ibcast"),
  ...forms("iallreduce", "allreduce", "x", "allreduce", "MPI_Iallreduce"),
  ...forms("iallreduce", "allreduce", "1.5", "allreduce", "MPI_Iallreduce"),
  ...forms("ireduce", "reduce", "x", "reduce", "MPI_Ireduce"),
  ...forms("igatherv", "gather", "x", "gather", "MPI_Igatherv"),
  ...forms("iscatterv", "scatter", "[x, x]", "scatter", "MPI_Iscatterv"),
  ...forms("iallgatherv", "allgather", "x", "allgather", "MPI_Iallgatherv"),
  ...forms("ialltoallv", "alltoallv", "[x, x]", "alltoallv", "MPI_Ialltoallv"),
  { name: "recv_init", call: 'grid.exchangeLauncher("g", [u])', message: direct("MPI_Recv_init") },
  { name: "send_init", call: 'grid.exchangeLauncher("g", [u])', message: direct("MPI_Send_init") },
];

/** A grid of two ranks, of which the first exchanges ghosts with the other. */
const field = `
  const context = mpi.createContext();
  const queue = new CommandQueue(context);
  const grid = await Grid.create(world, { shape: [8, 8], ranks: [2, 1] });
  const u = grid.field(context, Float32Array);
  const set = (name, value) => { if (value === undefined) delete process.env[name]; else process.env[name] = value; };
`;

/** Reports failures in queues, and continues. */
const reporting = `
  const mpi = await Mpi.init({ onFailure: "report", processorWarning: false });
  const { world } = mpi;
  const x = Float32Array.of(1, 2);
  ${field}
`;

describe.each([
  ["at once", 0],
  ["after a while", 1000],
])("operations that end %s", (_, looks) => {
  test.each(codes)("every call reports error %d of the function that fails, and the next one works", async (code) => {
    const program = `${reporting}
      set("FAKE_MPI_LOOKS", ${looks});
      const found = [];
      const errorOf = async (run) => {
        try { await run(); } catch (error) { return [error.constructor.name, error.code, error.message]; }
        return "nothing was thrown";
      };
      ${cases
        .map(
          ({ name, prepare, call }) => `{
            const prepared = await ${prepare ?? "undefined"};
            set("FAKE_MPI_FAIL", "${name}=${code}");
            found.push(await errorOf(() => ${call}));
            set("FAKE_MPI_FAIL");
            await world.barrier();
          }`,
        )
        .join("\n")}
      // All works again.
      await world.send(x, 0);
      const y = new Float32Array(2);
      await world.recv(y);
      found.push([...y]);
      await mpi.finalize();
      print(found);`;
    const [found] = resultsOf(await runFake(program));
    expect(found).toEqual([...cases.map(({ message }) => ["MpiError", "ERR_CL_MPI", message(code)]), [1, 2]]);
  });

  test("messages with a wrong number of bytes are errors", { tags: "ci" }, async () => {
    const program = `${reporting}
      set("FAKE_MPI_LOOKS", ${looks});
      for (const [bytes, pattern] of [[-8, /has 0 bytes, and its memory 8/], [-1, /has 7 bytes, and its memory 8/], [1, /longer than its memory/], [1e9, /longer than its memory/]]) {
        set("FAKE_MPI_BYTES", bytes);
        await expectError("recv", () => world.recv(x, 1), pattern);
        await expectError("recvSync", () => world.recvSync(x, 1), pattern);
      }
      await mpi.finalize();
      print("done");`;
    expect(resultsOf(await runFake(program))).toEqual(["done"]);
  });

  const failures: readonly (readonly [fail: string, bytes: string, reason: string])[] = [
    ["start=15", "", "the message is longer than its memory"],
    ["test=2147483647", "", "MPI_Test: fake error 2147483647"],
    ["", "-1", "rank 1 sent 31 bytes, expected 32"],
    ["", "1", "rank 1 sent 33 bytes, expected 32"],
  ];
  test.each(sample(failures, 1))(
    "an exchange with FAKE_MPI_FAIL=%s and FAKE_MPI_BYTES=%s fails",
    { tags: "ci" },
    async (fail, bytes, reason) => {
      const exchange = `
      set("FAKE_MPI_LOOKS", ${looks});
      const exchange = grid.exchangeLauncher("ghosts", [u]);
      await exchange.enqueue(queue).wait();
      set("FAKE_MPI_FAIL", "${fail}");
      set("FAKE_MPI_BYTES", "${bytes}");`;
      const reported = await runFake(`${reporting} ${exchange}
      await expectError("exchange", () => exchange.enqueue(queue).wait(), /CL_/);
      exchange.release();
      gc();
      set("FAKE_MPI_FAIL");
      await mpi.finalize();
      print("done");`);
      expect(resultsOf(reported)).toEqual(["done"]);
      expect(reported.stderr).toContain(`@cl/mpi: rank 0: ghosts: ${reason}\n`);
      const aborted = await runFake(`
      const mpi = await Mpi.init({ processorWarning: false });
      const { world } = mpi;
      ${field} ${exchange}
      exchange.launch(queue);
      await queue.finish();
      await new Promise((resolve) => setTimeout(resolve, 20_000));`);
      expect(aborted.stderr).toBe(`@cl/mpi: rank 0: ghosts: ${reason}; the job ends\nfake MPI: abort of 1 with 1\n`);
      expect(aborted.code).toBe(1);
    },
  );

  test.each([
    ["iallreduce", "sum: MPI_Iallreduce: fake error 4", 'await world.allreduceLauncher("sum", u.memory, "max")'],
    [
      "start",
      "move: MPI_Start: fake error 4",
      'await grid.transposeLauncher("move", u, (await grid.pencil(0)).field(context, Float32Array))',
    ],
  ])("a member of a list whose %s fails ends the job", { tags: "ci" }, async (name, reason, launcher) => {
    const end = await runFake(`
      const mpi = await Mpi.init({ processorWarning: false });
      const { world } = mpi;
      ${field}
      set("FAKE_MPI_LOOKS", ${looks});
      const launcher = ${launcher};
      await launcher.enqueue(queue).wait();
      set("FAKE_MPI_FAIL", "${name}=4");
      new ListLauncher("step").push(launcher).launch(queue);
      await queue.finish();
      await new Promise((resolve) => setTimeout(resolve, 20_000));`);
    expect(end.stderr).toBe(`@cl/mpi: rank 0: ${reason}; the job ends\nfake MPI: abort of 1 with 1\n`);
    expect(end.code).toBe(1);
  });

  test("failed operations release the memory of their arrays", { tags: "full" }, async () => {
    const program = `${reporting}
      set("FAKE_MPI_LOOKS", ${looks});
      const bytes = 16 * 2 ** 20;
      const run = async (count) => {
        for (let i = 0; i < count; i++) {
          for (const [fail, call] of [["isend=3", (data) => world.send(data, 1)], ["test=3", (data) => world.recv(data, 1)]]) {
            set("FAKE_MPI_FAIL", fail);
            await expectError(fail, () => call(new Uint8Array(bytes).fill(1)), /fake error 3/);
            set("FAKE_MPI_FAIL");
          }
          gc();
          await new Promise((resolve) => setImmediate(resolve));
        }
      };
      await run(3);
      const before = process.memoryUsage().rss;
      await run(32);
      const grown = process.memoryUsage().rss - before;
      await mpi.finalize();
      print([grown < 32 * bytes ? "released" : grown]);`;
    // AddressSanitizer keeps memory for a while after it was freed.
    expect(resultsOf(await runFake(program))).toEqual([["released"]]);
  });
});

describe("starting MPI", () => {
  const starts: readonly (readonly [name: string, message: (code: number) => string])[] = [
    ["init", work("Mpi.init", "MPI_Init_thread")],
    ["return_errors", work("Mpi.init", "MPI_Comm_set_errhandler")],
    ["comm_rank", work("Mpi.init", "MPI_Comm_rank")],
    ["comm_size", work("Mpi.init", "MPI_Comm_size")],
    ["comm_split_shared", work("splitShared", "MPI_Comm_split_type")],
    ["initialized", direct("MPI_Initialized")],
    ["finalized", direct("MPI_Finalized")],
  ];
  test.each(sample(starts, 2))("reports each error of %s", { tags: "ci" }, async (name, message) => {
    const program = `
      let found;
      try { await Mpi.init(); } catch (error) { found = [error.constructor.name, error.message]; }
      print(found);
      process.exit(0);`;
    const ends = codes.map((code) => runFake(program, { FAKE_MPI_FAIL: `${name}=${code}` }));
    const found = (await Promise.all(ends)).flatMap((end) => resultsOf(end));
    expect(found).toEqual(codes.map((code) => ["MpiError", message(code)]));
  });

  test.each([
    [{ FAKE_MPI_THREADS: "1" }, /cannot be called by two threads in turn/],
    [{ FAKE_MPI_STATE: "1" }, /already initialized by other code/],
    [{ FAKE_MPI_STATE: "3" }, /already initialized by other code/],
    [
      { FAKE_MPI_RANKS: "1", OMPI_COMM_WORLD_SIZE: "2" },
      /the launcher started 2 processes, but Fake MPI 1.0 .* sees only/,
    ],
  ])("is refused with %o", { tags: "ci" }, async (env, message) => {
    const program = `
      await expectError("init", () => Mpi.init(), ${message});
      print("done");
      process.exit(0);`;
    expect(resultsOf(await runFake(program, env))).toEqual(["done"]);
  });

  test("without a text, an error is a number", { tags: "ci" }, async () => {
    const program = `${reporting}
      set("FAKE_MPI_FAIL", "error_text=9 isend=7");
      await expectError("send", () => world.send(x, 1), /^send to rank 1 failed: MPI_Isend: error 7$/);
      set("FAKE_MPI_FAIL");
      await mpi.finalize();
      print("done");`;
    expect(resultsOf(await runFake(program))).toEqual(["done"]);
  });
});

describe("ending MPI", () => {
  test("mpi.finalize() reports an error", { tags: "ci" }, async () => {
    const program = `${reporting}
      set("FAKE_MPI_FAIL", "finalize=6");
      await expectError("finalize", () => mpi.finalize(), /^finalize failed: MPI_Finalize: fake error 6$/);
      print("done");`;
    expect(resultsOf(await runFake(program))).toEqual(["done"]);
  });

  test("an error at the end of the process ends the job", { tags: "ci" }, async () => {
    const end = await runFake(`${reporting} set("FAKE_MPI_FAIL", "finalize=6");`);
    expect(end.stderr).toBe("@cl/mpi: rank 0: MPI_Finalize: fake error 6; the job ends\nfake MPI: abort of 1 with 1\n");
    expect(end.code).toBe(1);
  });

  test.each([
    ["mpi.abort()", 'mpi.abort("has seen enough", 7);', "has seen enough", 7],
    ["process.exit()", "process.exit(5);", "ends with exit code 5", 5],
    ["an uncaught error", "throw new Error('why');", "ends with exit code 1", 1],
  ])("the process ends after %s, also if MPI_Abort fails", { tags: "ci" }, async (_, statement, reason, code) => {
    for (const fail of sample(["", "abort=8"], 1)) {
      const end = await runFake(`${reporting} set("FAKE_MPI_FAIL", "${fail}"); ${statement}`);
      const lines = end.stderr.split("\n").filter((line) => /^@cl\/mpi.*ends$|^fake/.test(line));
      const aborted = fail === "" ? [`fake MPI: abort of 1 with ${code}`] : [];
      expect(lines).toEqual([`@cl/mpi: rank 0: ${reason}; the job ends`, ...aborted]);
      expect(end.code).toBe(code);
    }
  });
});

describe("releasing exchanges", () => {
  /** Runs a program and returns the numbers of requests that are left. */
  async function requestsAfter(program: string): Promise<[JobEnd, number]> {
    const report = path.join(folder, "report.json");
    const end = await runFake(`${reporting} ${program}`, { FAKE_MPI_REPORT: report });
    expect(end.code, end.stderr).toBe(0);
    const { requests } = JSON.parse(readFileSync(report, "utf8")) as { readonly requests: number };
    return [end, requests];
  }

  test("releases the requests after the last turn", { tags: "ci" }, async () => {
    const program = `
      set("FAKE_MPI_LOOKS", 300);
      const exchanges = Array.from({ length: 20 }, (_, i) => grid.exchangeLauncher("ghosts " + i, [u]));
      for (const exchange of exchanges) {
        // The second turn starts after the release.
        exchange.launch(queue);
        exchange.launch(queue);
        exchange.release();
        exchange.release();
      }
      grid.exchangeLauncher("never launched", [u]).release();
      await queue.finish();
      // Done by the engine, in order.
      await (await world.duplicate()).release();
      await mpi.finalize();`;
    expect((await requestsAfter(program))[1]).toBe(0);
  });

  test("releases the requests of an exchange that could not be made", { tags: "ci" }, async () => {
    const program = `
      set("FAKE_MPI_FAIL", "send_init=2");
      await expectError("exchange", () => grid.exchangeLauncher("ghosts", [u]), /MPI_Send_init/);
      set("FAKE_MPI_FAIL");
      await mpi.finalize();`;
    expect((await requestsAfter(program))[1]).toBe(0);
  });

  test("reports a request that could not be released", { tags: "ci" }, async () => {
    const program = `
      const exchange = grid.exchangeLauncher("ghosts", [u]);
      await exchange.enqueue(queue).wait();
      set("FAKE_MPI_FAIL", "request_free=2");
      exchange.release();
      await queue.finish();
      await world.duplicate();
      set("FAKE_MPI_FAIL");
      await mpi.finalize();`;
    expect((await requestsAfter(program))[0].stderr).toContain(
      "@cl/mpi: rank 0: ghosts: MPI_Request_free: fake error 2\n",
    );
  });

  test("is possible after MPI has ended, and launches then throw", { tags: "ci" }, async () => {
    const program = `
      const [exchange, other] = [grid.exchangeLauncher("ghosts", [u]), grid.exchangeLauncher("ghosts", [u])];
      await exchange.enqueue(queue).wait();
      await mpi.finalize();
      await expectError("launch", () => exchange.launch(queue), /MPI has ended/);
      exchange.release();
      other.release();
      print("done");`;
    expect(resultsOf((await requestsAfter(program))[0])).toEqual(["done"]);
  });

  test("turns that start after MPI has ended fail", { tags: "ci" }, async () => {
    const program = `
      const gate = new UserEvent(context);
      const event = grid.exchangeLauncher("ghosts", [u]).enqueue(queue, undefined, { waitFor: gate });
      await mpi.finalize();
      gate.complete();
      await expectError("exchange", () => event.wait(), /CL_/);
      print("done");`;
    const [end] = await requestsAfter(`const { UserEvent } = await import("@cl/core"); ${program}`);
    expect(resultsOf(end)).toEqual(["done"]);
    expect(end.stderr).toContain("ghosts: MPI has ended; finish the queue before");
  });
});
