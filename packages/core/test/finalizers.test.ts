/** User callbacks that run after garbage collection: an error they throw must not end the process. */
import { describe, expect, test } from "vitest";

import { lastResult, runModule } from "@cl/testing/run-module";
import { needsCoarse } from "@cl/testing/svm";

/** Runs `body`, which drops objects, collects garbage until `done()` is true, and returns the codes of the warnings. */
async function afterCollecting(body: string, done: string): Promise<unknown> {
  const end = await runModule({
    source: `
      const { Context, CommandQueue, DeviceBuffer, BorrowedBuffer, BorrowedSvm, reclaimUnreachable, SvmAllocation } = await import("@cl/core");
      const { collectUntil, until } = await import("@cl/base/testing");
      const context = Context.create(), codes = new Set();
      process.on("warning", (warning) => codes.add(warning.code));
      let calls = 0;
      const fail = () => { calls++; throw new Error("on purpose"); };
      ${body}
      await collectUntil(() => ${done});
      await new Promise((resolve) => setImmediate(resolve));
      console.log(JSON.stringify({ done: ${done}, codes: [...codes] }));`,
  });
  return lastResult(end);
}

const warned = { done: true, codes: ["CL_FINALIZER"] };

const block = "const block = new DeviceBuffer(context, 64);";
const reclaim = "await until(() => { reclaimUnreachable(); return calls === 10; });";

describe("after garbage collection a warning is emitted and the process continues", () => {
  test.each([
    ["an onReleased callback throws", "", "new DeviceBuffer(context, 64).onReleased(fail)", ""],
    ["a lender's takeBack throws", block, "new BorrowedBuffer(block, 64, { takeBack: fail })", ""],
    ["reclaimUnreachable returns the memory", block, "new BorrowedBuffer(block, 64, { takeBack: fail })", reclaim],
  ])("if %s", { tags: "ci" }, async (_, before, each, after) => {
    const body = `${before} (() => { for (let i = 0; i < 10; i++) ${each}; })(); ${after}`;
    expect(await afterCollecting(body, "calls === 10")).toEqual(warned);
  });

  test("if takeBack throws something that is not an error or has no message", { tags: "ci" }, async () => {
    const body = `${block}
      const hostile = new Proxy({}, { get() { throw hostile; } });
      const takeBack = (_, bytes) => { calls++; throw [undefined, Symbol("s"), hostile][bytes - 1]; };
      (() => { for (let i = 1; i <= 3; i++) new BorrowedBuffer(block, i, { takeBack }); })();`;
    expect(await afterCollecting(body, "calls === 3")).toEqual(warned);
  });

  test("if a lender of SVM throws", { tags: "ci" }, async (run) => {
    needsCoarse(run);
    const body = `
      const block = new SvmAllocation(context, 64);
      (() => { for (let i = 0; i < 10; i++) new BorrowedSvm(block, 64, { takeBack: fail }); })();`;
    expect(await afterCollecting(body, "calls === 10")).toEqual(warned);
  });
});

describe("a borrowed part of a borrowed buffer", () => {
  const nested = `
    const back = [];
    const outer = new BorrowedBuffer(new DeviceBuffer(context, 4096), 4096, { takeBack() {} });
    const part = outer.as(null);
    const borrow = (lender) => new BorrowedBuffer(part, 100, lender);`;

  test("is returned as not reusable after the outer loan has ended, on release or collection, without a warning", async () => {
    const body = `${nested}
      const lender = { takeBack: (_, bytes, reusable) => back.push(reusable) };
      const borrowed = borrow(lender);
      (() => { for (let i = 0; i < 100; i++) borrow(lender); })();
      outer.release();
      borrowed.release();`;
    const done = "back.length === 101 && back.every((reusable) => reusable === false)";
    expect(await afterCollecting(body, done)).toEqual({ done: true, codes: [] });
  });
});
