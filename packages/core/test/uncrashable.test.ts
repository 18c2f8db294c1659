/**
 * JavaScript must never crash the process: neither with objects that imitate others, nor by calling the addon directly.
 */
import { beforeAll, describe, expect, test } from "vitest";

import { buildFakeOpenCL } from "@cl/testing/fake-opencl/build";
import { isFull } from "@cl/testing/level";
import { lastResult, runModule } from "@cl/testing/run-module";

interface Result {
  readonly made: number;
  readonly problems: readonly string[];
}

let fake = "";

beforeAll(async () => {
  fake = await buildFakeOpenCL();
});

const support = (name: string): URL => new URL(`support/${name}`, import.meta.url);

async function onFake(name: string, ...args: string[]): Promise<Result> {
  const env = { CL_LIBRARY_PATH: fake, FAKE_CL_MEMORY: "10000000" };
  return lastResult(await runModule({ file: support(name), args, env })) as Result;
}

describe("forged objects, overridden arrays, wrong types, wrong addresses and replaced built-ins", () => {
  test("throw errors on a fake driver", async () => {
    const { made, problems } = await onFake("faults/tampering.mjs");
    expect(problems).toEqual([]);
    expect(made).toBeGreaterThan(30);
  });

  test("throw errors on a real driver", { tags: "ci" }, async () => {
    const { problems } = lastResult(await runModule({ file: support("faults/tampering.mjs") })) as Result;
    expect(problems).toEqual([]);
  });
});

describe("the addon's own functions", () => {
  test("throw before initialize() and for invalid arguments of it", async () => {
    expect((await onFake("native/before.mjs")).problems).toEqual([]);
  });

  test.each([1, 2])("accept any arguments in any order without crashing (seed %i)", { tags: "ci" }, async (seed) => {
    const calls = isFull ? 10_000 : 4000;
    expect((await onFake("native/fuzz.mjs", String(seed), String(calls))).made).toBe(calls);
  });
});

test("a handle's slot is reused only after its release, with another number, 1024 times", async () => {
  expect((await onFake("native/handle-table.mjs")).problems).toEqual([]);
});
