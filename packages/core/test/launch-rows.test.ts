import { caseCount } from "@cl/testing/level";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CommandQueue, DeviceBuffer } from "@cl/core";
import { disposed } from "@cl/testing/core-errors";
import { outOfRange, wrongValue } from "@cl/testing/error-like";

import { context, kernelOf, queue, read } from "./support/kernels.js";

const note = kernelOf(`__kernel void note(__global float *sums, int place, float value, uchar times) {
  for (int i = 0; i < times; i++) sums[place] += value;
}`);
const zeros = (count: number): DeviceBuffer<Float32Array> => DeviceBuffer.from(context, new Float32Array(count));

describe("rows of values", () => {
  test("launch a bound kernel once per row, in order, and the last row's values stay set", () => {
    const sums = zeros(3);
    const bound = note.bind({ global: 1 }, sums, 0, 0, 2);
    expect(bound.launchRows(queue, ["value", 1], Float64Array.of(1, 0, 2.5, 1, 4, 1, 0.1, 2))).toBeUndefined();
    expect(read(sums)).toEqual([2, 13, Math.fround(0.2)]);
    expect(bound.args).toEqual([sums, 2, expect.closeTo(0.1), 2]);
    bound.launch(queue);
    expect(read(sums)[2]).toBeCloseTo(0.4);
    bound.setArg("value", 1).launch(queue);
    expect(read(sums)[2]).toBeCloseTo(2.4);
  });

  test("may be part of an array, and no rows launch nothing", () => {
    const sums = zeros(2);
    const bound = note.bind({ global: 1 }, sums, 0, 1, 1);
    const rows = Float64Array.of(5, 1, 1, 0, 7);
    bound.launchRows(queue, ["place"], rows.subarray(1, 4));
    bound.launchRows(queue, ["place"], rows.subarray(0, 0));
    expect(read(sums)).toEqual([1, 2]);
    const empty = note.bind({ global: 0, allowEmpty: true }, sums, 0, 1, 1);
    empty.launchRows(queue, ["place"], Float64Array.of(0));
    expect(() => empty.launchRows(queue, ["place"], Float64Array.of(0.5))).toThrow(outOfRange());
    expect(read(sums)).toEqual([1, 2]);
  });

  test("give the same results as separate launches, for any values", () => {
    const row = fc.record({ place: fc.nat(6), value: fc.integer({ min: -64, max: 64 }), times: fc.nat(4) });
    fc.assert(
      fc.property(fc.array(row, { maxLength: 600 }), (rows) => {
        const [one, other] = [zeros(7), zeros(7)];
        const numbers = Float64Array.from(rows.flatMap(({ place, value, times }) => [times, place, value]));
        note.bind({ global: 1 }, one, 0, 0, 0).launchRows(queue, ["times", "place", "value"], numbers);
        for (const { place, value, times } of rows) note.launch(queue, { global: 1 }, other, place, value, times);
        expect(read(one)).toEqual(read(other));
      }),
      { numRuns: caseCount(20) },
    );
  });

  test("run in order on an out-of-order queue if they are enqueued with an event", async () => {
    const n = 1 << 14;
    const count = 600;
    let expected = 0;
    for (let value = 0; value < count; value++) expected = (Math.imul(3, expected) + value) | 0;
    const kernel = kernelOf(`__kernel void mixing(__global int *x, int value) {
      size_t i = get_global_id(0);
      x[i] = 3 * x[i] + value;
    }`);
    const rows = Float64Array.from({ length: count }, (_, i) => i);
    for (const profiling of [false, true]) {
      const target = new CommandQueue(context, { outOfOrder: true, profiling });
      const x = DeviceBuffer.from(context, new Int32Array(n));
      const bound = kernel.bind({ global: n }, x, 0);
      const first = bound.enqueueRows(target, ["value"], rows.subarray(0, 200));
      await bound.enqueueRows(target, ["value"], rows.subarray(200), { waitFor: first }).wait();
      expect(new Set(queue.readSync(x))).toEqual(new Set([expected]));
    }
  });

  test("that are not all valid launch nothing, and the error names the value and its argument", () => {
    const sums = zeros(2);
    const bound = note.bind({ global: 1 }, sums, 0, 1, 1);
    const cases = [
      ["place", 0.5, 1],
      ["place", 2 ** 31, 1],
      ["value", 1e300, 2],
      ["times", -1, 3],
      ["times", NaN, 3],
    ] as const;
    for (const [name, value, argument] of cases) {
      expect(() => bound.launchRows(queue, [name], Float64Array.of(1, value, 1))).toThrow(
        outOfRange(`rows[1] for argument ${argument}`),
      );
    }
    expect(read(sums)).toEqual([0, 0]);
    expect(bound.args).toEqual([sums, 0, 1, 1]);
  });

  test("are rejected with other invalid arguments", () => {
    const sums = zeros(1);
    const bound = note.bind({ global: 1 }, sums, 0, 1, 1);
    const rows = Float64Array.of(0);
    const calls: readonly (readonly [unknown[], Error])[] = [
      [[queue, [], rows], wrongValue("parameters")],
      [[queue, ["place", 1], Float64Array.of(0, 0)], wrongValue("parameters")],
      [[queue, ["sums"], rows], wrongValue("parameters[0]")],
      [[queue, ["place", "value"], rows], wrongValue("rows")],
    ];
    for (const [args, message] of calls) {
      expect((): unknown => Reflect.apply(bound.launchRows, bound, args)).toThrow(message);
    }
    sums.release();
    expect(() => bound.launchRows(queue, ["place"], rows)).toThrow(disposed("argument 0"));
    bound.release();
    expect(() => bound.launchRows(queue, ["place"], rows)).toThrow(disposed());
  });
});
