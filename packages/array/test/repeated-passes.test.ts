/**
 * Reductions and scans cache their launch plans by function, options and layouts: later calls take a faster path and must give the
 * same result and the same errors, whatever was called before.
 */
import { arrays, type DeviceArray, type DTypeName } from "@cl/array";
import { CommandQueue } from "@cl/core";
import { expect, test } from "vitest";

import { queue } from "./support/device.js";

const values = [3, -1, 4, 1, -5, 9, 2, -6];

type Call<D extends DTypeName = "int32"> = (a: DeviceArray<D>) => DeviceArray;

const calls: Readonly<Record<string, Call>> = {
  sum: (a) => a.sum(),
  "sum of rows": (a) => a.sum({ axis: 1 }),
  "sum of columns": (a) => a.sum({ axis: 0 }),
  "sum of columns with a kept axis": (a) => a.sum({ axis: [0], keepDims: true }),
  "sum in float32": (a) => a.sum({ dtype: "float32" }),
  "sum with an initial value": (a) => a.sum({ initial: 5 }),
  prod: (a) => a.prod(),
  mean: (a) => a.mean({ dtype: "float32" }),
  "mean where": (a) => a.mean({ dtype: "float32", where: a.greater(0) }),
  min: (a) => a.min(),
  max: (a) => a.max(),
  "max with an initial value": (a) => a.max({ initial: 100 }),
  argmin: (a) => a.argmin(),
  argmax: (a) => a.argmax({ axis: 1 }),
  nanmax: (a) => a.nanmax(),
  ptp: (a) => a.ptp(),
  any: (a) => a.any(),
  all: (a) => a.all(),
  countNonzero: (a) => a.countNonzero(),
  dot: (a) => a.dot(a.T),
  vdot: (a) => a.vdot(a),
  cumsum: (a) => a.cumsum(),
  "cumsum of rows": (a) => a.cumsum({ axis: 1 }),
  "cumsum in float32": (a) => a.cumsum({ dtype: "float32" }),
  "exclusive cumsum": (a) => a.cumsum({ exclusive: true }),
  "reverse cumsum": (a) => a.cumsum({ reverse: true }),
  cumprod: (a) => a.cumprod(),
  cummax: (a) => a.cummax(),
  cummin: (a) => a.cummin(),
};

function matrixOn(own: CommandQueue): DeviceArray<"int32"> {
  return arrays(own).array([values.slice(0, 4), values.slice(4)], { dtype: "int32" });
}

test("all passes over one array give their own results when repeated", async () => {
  // Plans belong to a queue.
  const own = (): DeviceArray<"int32"> => matrixOn(new CommandQueue(queue.context));
  const shared = matrixOn(queue);
  const expected = new Map<string, unknown>();
  for (const [name, call] of Object.entries(calls)) {
    const first = call(own());
    expected.set(name, [first.dtype.name, first.shape, await first.toNested()]);
  }
  for (let round = 0; round < 3; round++) {
    for (const [name, call] of Object.entries(calls)) {
      const result = call(shared);
      expect([result.dtype.name, result.shape, await result.toNested()], `${name}, round ${round}`).toEqual(
        expected.get(name),
      );
    }
  }
});

test("repeated passes read the elements of each array", async () => {
  const xp = arrays(queue);
  for (const [k, factor] of [1, 10, -1].entries()) {
    const a = xp.array(
      values.map((value) => value * factor),
      { dtype: "int32" },
    );
    expect(await a.sum().item()).toBe(BigInt(7 * factor));
    expect(await a.slice("1:5").sum().item(), `slice ${k}`).toBe(BigInt(-1 * factor));
    expect(await a.slice("2:6").sum().item(), `slice ${k}`).toBe(BigInt(9 * factor));
    expect(await a.slice("::-2").cumsum().data()).toEqual(
      BigInt64Array.from([-6, 3, 4, 3].map((value) => BigInt(value * factor))),
    );
    const out = xp.empty([8], { dtype: "int64" });
    expect(await a.cumsum({ out }).data()).toEqual(await a.cumsum().data());
  }
});

test("rejects invalid options although such a call has a plan", () => {
  const a = arrays(queue).array(values, { dtype: "complex64" });
  a.sum({ axis: 0 }).release();
  a.sum({ axis: 0 }).release();
  // @ts-expect-error -- the option is not one of sum's
  expect(() => a.sum({ axis: 0, axes: 0 })).toThrow(/axes/);
  expect(() => a.sum({ axis: 1 })).toThrow(RangeError);
  expect(() => a.sum({ dtype: "float32" })).toThrow(/complex/);
  expect(() => a.cumsum({ dtype: "float32" })).toThrow(/complex/);
  a.release();
  expect(() => a.sum({ axis: 0 })).toThrow(/released|disposed/);
});

test("repeated launches of an expression on several queues are ordered", async () => {
  const xp = arrays(queue);
  const other = xp.withQueue(new CommandQueue(queue.context));
  const a = matrixOn(queue);
  const row = xp.array([1, 2, 3, 4], { dtype: "int32" });
  for (let round = 0; round < 3; round++) {
    const here = a.add(row).eval();
    const there = a.withQueue(other.queue).add(row.withQueue(other.queue)).eval();
    expect(await there.data()).toEqual(await here.data());
    expect(await there.sum().item()).toBe(BigInt(27));
  }
});
