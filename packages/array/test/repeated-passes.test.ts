/**
 * Reductions and scans cache their launch plans by function, options and layouts: later calls take a faster path and must give the
 * same result and the same errors, whatever was called before.
 */
import { arrays, type DeviceArray, type DTypeName } from "@cl/array";
import { CommandQueue, DisposedError } from "@cl/core";
import { expect, test } from "vitest";

import { queue } from "./support/device.js";
import { outOfRange, wrongType } from "@cl/testing/error-like";

const values = [3, -1, 4, 1, -5, 9, 2, -6];

type Call<D extends DTypeName = "int32"> = (a: DeviceArray<D>) => DeviceArray;

const calls: readonly Call[] = [
  (a) => a.sum(),
  (a) => a.sum({ axis: 1 }),
  (a) => a.sum({ axis: 0 }),
  (a) => a.sum({ axis: [0], keepDims: true }),
  (a) => a.sum({ dtype: "float32" }),
  (a) => a.sum({ initial: 5 }),
  (a) => a.prod(),
  (a) => a.prod({ keepDims: false }),
  (a) => a.mean({ dtype: "float32" }),
  (a) => a.mean({ dtype: "float32", where: a.greater(0) }),
  (a) => a.max(),
  (a) => a.mul(-1).max(),
  (a) => a.max({ initial: 100 }),
  (a) => a.argmin(),
  (a) => a.argmax({ axis: 1 }),
  (a) => a.ptp(),
  (a) => a.any(),
  (a) => a.dot(a.T),
  (a) => a.ravel().dot(a.ravel().mul(10)),
  (a) => a.vdot(a),
  (a) => a.matmul(a.T),
  (a) => a.T.matmul(a),
  (a) => a.astype("float32").matmul(a.T.astype("float32")),
  (a) => a.cumsum(),
  (a) => a.cumsum({ axis: 1 }),
  (a) => a.cumsum({ dtype: "float32" }),
  (a) => a.cumsum({ exclusive: true }),
  (a) => a.cumsum({ reverse: true }),
  (a) => a.cumprod(),
  (a) => a.cummin(),
];

function matrixOn(own: CommandQueue): DeviceArray<"int32"> {
  return arrays(own).array([values.slice(0, 4), values.slice(4)], { dtype: "int32" });
}

test("all passes over one array give their own results when repeated", { tags: "ci" }, async () => {
  // Plans belong to a queue.
  const own = (): DeviceArray<"int32"> => matrixOn(new CommandQueue(queue.context));
  const shared = matrixOn(queue);
  const read = async (array: DeviceArray): Promise<unknown> => [array.dtype.name, array.shape, await array.toNested()];
  const expected = await Promise.all(calls.map((call) => read(call(own()))));
  for (let round = 0; round < 3; round++) {
    for (const [k, call] of calls.entries()) {
      expect(await read(call(shared)), `${String(call)}, round ${round}`).toEqual(expected[k]);
    }
  }
});

test("repeated passes read the elements of each array", { tags: "ci" }, async () => {
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
    const product = a.reshape([2, 4]).matmul(a.reshape([4, 2]));
    expect(await product.slice(0, 0).item(), `product ${k}`).toBe(-13 * factor * factor);
    const out = xp.empty([8], { dtype: "int64" });
    expect(await a.cumsum({ out }).data()).toEqual(await a.cumsum().data());
  }
});

test("rejects invalid options although such a call has a plan", () => {
  const a = arrays(queue).array(values, { dtype: "complex64" });
  a.sum({ axis: 0 }).release();
  a.sum({ axis: 0 }).release();
  // @ts-expect-error -- the option is not one of sum's
  expect(() => a.sum({ axis: 0, axes: 0 })).toThrow(outOfRange("options"));
  expect(() => a.sum({ axis: 1 })).toThrow(outOfRange("options.axis"));
  expect(() => a.sum({ dtype: "float32" })).toThrow(wrongType("options.dtype"));
  expect(() => a.cumsum({ dtype: "float32" })).toThrow(wrongType("options.dtype"));
  a.release();
  expect(() => a.sum({ axis: 0 })).toThrow(DisposedError);
});
