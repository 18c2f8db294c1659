/** Iterations that pass many combinations at a time to the native layer, with the results of single launches. */
import { DeviceBuffer, Program } from "@cl/core";
import { IterativeLauncher } from "@cl/launcher";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { context, queue } from "./support/device.js";
import { disposed } from "@cl/testing/core-errors";
import { outOfRange, wrongType } from "@cl/testing/error-like";

const source = `
  // The result depends on the order of all launches.
  __kernel void chain(__global uint *x, int i, float s) { x[0] = x[0] * 31u + (uint)(i * 7) + (uint)(s * 4.0f); }
  __kernel void long_chain(__global uint *x, long i, int j) { x[0] = x[0] * 31u + (uint)(i * 7) + (uint)j; }
  __kernel void count(__global uint *x, int i) { x[i]++; }` as const;
const program = new Program(context, source).buildSync();
const zeros = (count = 1): DeviceBuffer<Uint32Array> => DeviceBuffer.from(context, new Uint32Array(count));
const read = async (buffer: DeviceBuffer<Uint32Array>): Promise<number[]> => [...(await queue.read(buffer))];

/** Creates a launcher of `chain` for all combinations of `i` and `s`. */
const sweepOf = (x: DeviceBuffer<Uint32Array>, iterate: { readonly i: unknown; readonly s: unknown }) =>
  new IterativeLauncher("sweep", program.kernel("chain"), {
    args: [x],
    parameters: ["i", "s"],
    iterate: iterate as { i: Iterable<number>; s: Iterable<number> },
    global: 1,
  });

/** Returns the result of `chain` for a sequence of combinations. */
function chained(combinations: readonly (readonly [number, number])[]): number {
  let x = 0;
  for (const [i, s] of combinations) x = (Math.imul(x, 31) + i * 7 + Math.trunc(s * 4)) >>> 0;
  return x;
}

describe("an iteration", () => {
  test("launches any number of combinations once each and in order", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(1000), { maxLength: 30 }),
        fc.array(
          fc.nat(400).map((s) => s / 4),
          { maxLength: 40 },
        ),
        fc.boolean(),
        async (i, s, arrays) => {
          const x = zeros();
          const launcher = sweepOf(x, arrays ? { i, s: Float64Array.from(s) } : { i: () => i, s: () => s.values() });
          launcher.launch(queue);
          launcher.launch(queue);
          const all = i.flatMap((one) => s.map((other): [number, number] => [one, other]));
          expect(await read(x)).toEqual([chained([...all, ...all])]);
          launcher.release();
        },
      ),
      { numRuns: 30, examples: [[[1, 2], Array.from({ length: 128 }, (_, k) => k / 4), false]] },
    );
  });

  test("can be launched from its own value generator", async () => {
    const x = zeros();
    let depth = 0;
    const launcher = sweepOf(x, {
      i: [1, 2],
      s: function* () {
        yield 1;
        if (depth++ === 0) launcher.launch(queue);
        yield 2;
      },
    });
    launcher.launch(queue);
    const combinations = [1, 2].flatMap((i) => [1, 2].map((s): [number, number] => [i, s]));
    // The first combination is enqueued before the second is requested.
    expect(await read(x)).toEqual([chained([[1, 1], ...combinations, ...combinations.slice(1)])]);
  });

  test("over 64-bit integers launches combinations one by one", async () => {
    const x = zeros();
    const launcher = new IterativeLauncher("sweep", program.kernel("long_chain"), {
      args: [x],
      parameters: ["i", "j"],
      iterate: { i: [3n, 2n ** 40n], j: [1, 2] },
      global: 1,
    });
    launcher.launch(queue);
    expect(await read(x)).toEqual([
      [21 + 1, 21 + 2, 1, 2].map((add) => add >>> 0).reduce((sum, add) => (Math.imul(sum, 31) + add) >>> 0, 0),
    ]);
  });
});

describe("an invalid combination", () => {
  test.each<[unknown, Error]>([
    ["7", wrongType('"s"')],
    [undefined, wrongType('"s"')],
    [1e39, outOfRange('"s"')],
  ])("with %j is named in the error, and the combinations before it are launched", async (wrong, error) => {
    const x = zeros();
    const good = Array.from({ length: 300 }, (__, k) => k / 4);
    const sweep = sweepOf(x, { i: [1, 2], s: () => [...good, wrong, 1] });
    expect(() => sweep.launch(queue)).toThrow(error);
    expect(await read(x)).toEqual([chained(good.map((s) => [1, s]))]);
  });

  test("due to a throwing value function leaves the launcher usable", async () => {
    const x = zeros();
    let fails = true;
    const reason = new Error("no more");
    const values = function* (): Generator<number> {
      yield* [1, 2, 3];
      if (fails) throw reason;
    };
    const launcher = sweepOf(x, { i: [1, 2], s: values });
    expect(() => launcher.launch(queue)).toThrow(reason);
    const first = [1, 2, 3].map((s): [number, number] => [1, s]);
    expect(await read(x)).toEqual([chained(first)]);
    fails = false;
    launcher.launch(queue);
    const second = [1, 2, 3].map((s): [number, number] => [2, s]);
    expect(await read(x)).toEqual([chained([...first, ...first, ...second])]);
  });

  test("with an invalid outer value is the first one with that value", async () => {
    const x = zeros();
    const launcher = sweepOf(x, { i: [1, 1.5], s: [1, 2] });
    expect(() => launcher.launch(queue)).toThrow(outOfRange('"i"'));
    expect(await read(x)).toEqual([chained([1, 2].map((s) => [1, s]))]);
  });

  test("with a released buffer is the first one", () => {
    const x = zeros();
    const launcher = sweepOf(x, { i: [1, 2], s: [1, 2] });
    launcher.launch(queue);
    x.release();
    expect(() => launcher.launch(queue)).toThrow(disposed());
  });
});
