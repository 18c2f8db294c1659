import { beforeEach, describe, expect, test } from "vitest";
import { Context } from "@cl/core";
import { lastResult, runModule } from "@cl/testing/run-module";
import { needs } from "@cl/base/testing";

const { platform } = Context.create();

beforeEach((run) => {
  needs(run, platform.name === "Portable Computing Language", "only PoCL compiles in the process and uses its stacks");
});

const setUp = `
import { CommandQueue, Context, DeviceBuffer, Program } from "@cl/core";
const context = Context.create();
const queue = new CommandQueue(context);
const x = DeviceBuffer.from(context, Int32Array.of(7, 0));
const valuesOf = async (program) => {
  program.kernel("f").launch(queue, { global: 1, local: 1 }, x);
  return [...(await queue.read(x))];
};
// PoCL caches programs by the preprocessed text.
const unique = "typedef int t" + crypto.randomUUID().replaceAll("-", "") + ";";
const deep = unique + "__kernel void f(__global int *x) { x[0] = 5 + " + "- ".repeat(20000) + "x[0]; }";
const program = new Program(context, deep);
`;

const run = async (source: string): Promise<unknown> => lastResult(await runModule({ source: `${setUp}${source}` }));

describe("a source with 20,000 nested operators", () => {
  test.each([
    ["build", "await program.build({ cache: false });"],
    ["buildSync", "program.buildSync({ cache: false });"],
    ["compile and link", "await program.compile(); const linked = await Program.link(context, [program]);"],
    ["compileSync and linkSync", "program.compileSync(); const linked = Program.linkSync(context, [program]);"],
    ["binaries", "program.buildSync({ cache: false }); program.binaries;"],
  ])("does not overflow the stack in %s", { tags: "ci" }, async (_name, build) => {
    const of = build.includes("linked") ? "linked" : "program";
    const result = await run(`${build} console.log(JSON.stringify({ values: await valuesOf(${of}) }));`);
    expect(result).toEqual({ values: [12, 0] });
  });

  test("does not overflow the small stack of a worker thread in buildSync", { tags: "ci" }, async () => {
    const inside = JSON.stringify(`
      import { Context, Program } from "@cl/core";
      import { parentPort, workerData } from "node:worker_threads";
      new Program(Context.create(), workerData).buildSync({ cache: false });
      parentPort.postMessage("built");`);
    const result = await run(`
      const { Worker } = await import("node:worker_threads");
      const worker = new Worker(${inside}, { eval: true, workerData: deep, resourceLimits: { stackSizeMb: 2 } });
      const [message] = await (await import("node:events")).once(worker, "message");
      console.log(JSON.stringify({ message }));`);
    expect(result).toEqual({ message: "built" });
  });
});

test("a kernel may use 40 MB of private memory", async () => {
  const result = await run(`
    const source = unique + \`__kernel void f(__global int *x) {
      volatile int big[10000000];
      for (int i = 0; i < 10000000; i += 1000) big[i] = i;
      x[1] = big[9999000] + x[0];
    }\`;
    const values = await valuesOf(new Program(context, source).buildSync({ cache: false }));
    console.log(JSON.stringify({ values }));`);
  expect(result).toEqual({ values: [7, 9_999_007] });
});
