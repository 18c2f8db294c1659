/** Allocators and adaptors on a driver whose n-th call fails, for every n. */
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

import { beforeAll, expect, test } from "vitest";

import { buildFakeOpenCL } from "@cl/testing/fake-opencl/build";
import { type FakeReport, runWithFake } from "@cl/testing/fake-opencl/run";

const tools = pathToFileURL(createRequire(import.meta.url).resolve("@cl/tools")).href;

beforeAll(async () => {
  await buildFakeOpenCL();
}, 240_000);

interface Result {
  readonly runs: number;
  readonly failed: number;
  readonly problems: readonly string[];
}

const program = (bottom: string, rule: string): string => `
  import { CommandQueue, Context, DisposedError, OpenCLError, OutOfMemoryError } from "@cl/core";
  import * as tools from ${JSON.stringify(tools)};

  const context = Context.create();
  const queue = new CommandQueue(context);
  const problems = [];
  let [runs, failed, whole] = [0, 0, 0];

  const upstream = ${bottom};
  // The outermost adaptor is called first and notified of releases last.
  const limited = new tools.LimitAdaptor(upstream, 2 ** 30);
  const tracked = new tools.TrackAdaptor(limited);
  const counted = new tools.StatisticsAdaptor(tracked);
  const lines = [];
  const logged = new tools.LogAdaptor(counted, (line) => lines.push(line));
  const allocator = new tools.RetryAdaptor(new tools.AlignedAdaptor(logged, 64), { attempts: 2 });

  function scenario() {
    const live = [];
    let errors = 0;
    for (const bytes of [64, 1000, 4096, 100]) {
      try {
        live.push(allocator.allocate(bytes));
      } catch (error) {
        errors++;
        if (!(error instanceof OpenCLError)) problems.push(error.stack);
        else if (!(error instanceof OutOfMemoryError) && !${JSON.stringify(rule)}.endsWith("-36")) problems.push(error.stack);
      }
      if (live.length > 1) end(live.shift());
    }
    for (const memory of live) end(memory);
    return errors;
  }

  /** A failing release still releases. */
  function end(memory) {
    try {
      memory.release();
    } catch (error) {
      if (!(error instanceof OpenCLError)) problems.push(error.stack);
    }
  }

  while (runs < 30 || (whole < 3 && runs < 200)) {
    runs++;
    process.env.FAKE_CL_FAIL = ${JSON.stringify(rule)}.replace("@", "@" + runs);
    const before = lines.length;
    const errors = scenario();
    delete process.env.FAKE_CL_FAIL;
    const hit = errors > 0 || lines.slice(before).some((line) => line.includes('"fail"'));
    failed += hit ? 1 : 0;
    whole = hit ? 0 : whole + 1;
    const left = [limited.usedBytes, tracked.outstandingBytes, counted.snapshot().bytes.current];
    if (left.some((bytes) => bytes !== 0)) problems.push("run " + runs + " has left " + left);
    if (scenario() !== 0) problems.push("run " + runs + " has broken something");
  }
  const trace = tools.parseTrace(lines);
  if (trace.steps !== 2 * trace.requests) problems.push("the log does not balance");
  queue.release();
  context.release();
  process.stdout.write(JSON.stringify({ runs, failed, problems }));
`;

async function run(bottom: string, rule: string): Promise<{ result: Result; report: FakeReport | undefined }> {
  const { code, stdout, stderr, report } = await runWithFake(program(bottom, rule), { nodeFlags: ["--expose-gc"] });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return { result: JSON.parse(stdout) as Result, report };
}

const deferred = "new tools.DeferredAllocator(context)";
const immediate = "new tools.ImmediateAllocator(queue)";
const cases: readonly (readonly [allocator: string, rule: string])[] = [
  [immediate, "clEnqueueMigrateMemObjects@+=-4"],
  [deferred, "clCreateBuffer@+=-4"],
  [deferred, "*@=-6"],
  [deferred, "*@+=-6"],
  [immediate, "*@+=-5"],
  [immediate, "*@+=-36"],
  ["new tools.SvmAllocator(context)", "*@+=-5"],
  ["new tools.SvmAllocator(context, { queue })", "clSVMAlloc@+=-4"],
];
async function keepsCounts(bottom: string, rule: string): Promise<void> {
  const { result, report } = await run(bottom, rule);
  expect(result.problems).toEqual([]);
  expect(result.runs).toBeLessThan(200);
  // The second attempt succeeds after one failing call.
  if (rule.includes("+")) expect(result.failed).toBeGreaterThan(2);
  expect(report).toMatchObject({ misuse: 0, notes: [] });
  expect(report?.live).toMatchObject({ mem: 0, svm: 0, event: 0 });
}
test.each(cases.slice(0, 1))("%s under all adaptors keeps correct counts and leaks nothing (%s)", keepsCounts);
test.each(cases.slice(1))("%s keeps correct counts and leaks nothing, too (%s)", { tags: "ci" }, keepsCounts);

test("a direct call retries once after a garbage collection", async () => {
  const script = `
    import { Context } from "@cl/core";
    import * as tools from ${JSON.stringify(tools)};
    const context = Context.create();
    const garbage = new WeakRef({});
    await new Promise((resolve) => setImmediate(resolve));
    const allocator = new tools.DeferredAllocator(context);
    process.env.FAKE_CL_FAIL = "clCreateBuffer@1=-4";
    const sizes = [allocator.allocate(100).size];
    process.env.FAKE_CL_FAIL = "clCreateBuffer@1+=-4";
    try {
      allocator.allocate(100);
    } catch (error) {
      sizes.push(error.code);
    }
    process.env.FAKE_CL_FAIL = "clCreateBuffer=-30";
    try {
      allocator.allocate(100);
    } catch (error) {
      sizes.push(error.code);
    }
    process.stdout.write(JSON.stringify({ sizes, collected: garbage.deref() === undefined }));
  `;
  const { stdout, stderr, report } = await runWithFake(script);
  expect(stderr).toBe("");
  expect(JSON.parse(stdout)).toEqual({
    sizes: [100, "CL_MEM_OBJECT_ALLOCATION_FAILURE", "CL_INVALID_VALUE"],
    collected: true,
  });
  expect(report?.calls["clCreateBuffer"]).toBe(5);
});

test("ImmediateAllocator writes to its buffers if OpenCL lacks migration", async () => {
  const script = `
    import { CommandQueue, Context } from "@cl/core";
    import * as tools from ${JSON.stringify(tools)};
    const allocator = new tools.ImmediateAllocator(new CommandQueue(Context.create()));
    process.stdout.write(String([1, 3, 4, 100].map((bytes) => allocator.allocate(bytes).size)));
  `;
  const { stdout, stderr, report } = await runWithFake(script, { version: "1.1" });
  expect({ stdout, stderr }).toEqual({ stdout: "1,3,4,100", stderr: "" });
  expect(report?.calls["clEnqueueWriteBuffer"]).toBe(4);
  expect(report).toMatchObject({ misuse: 0 });
});
