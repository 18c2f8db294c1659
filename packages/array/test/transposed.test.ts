/** Operands that are contiguous along another axis than the result: they are transposed block by block. */
import { expect, test } from "vitest";

import { xp } from "./support/device.js";

const types = ["bool", "int8", "uint16", "int32", "float32", "int64", "float16", "complex64"] as const;

/** Expected elements of a transposed array. */
function transposedIndices(rows: number, columns: number): number[] {
  return Array.from({ length: rows * columns }, (_, i) => (i % rows) * columns + Math.floor(i / rows));
}

test.each(types)("copies a transposed array of %s", async (dtype) => {
  for (const [rows, columns] of [
    [8, 8],
    [9, 65],
    [64, 64],
    [70, 33],
    [129, 200],
  ] as const) {
    const source = xp
      .arange(rows * columns, { dtype: "float32" })
      .remainder(97)
      .astype(dtype)
      .reshape([rows, columns]);
    const values = (await source.ravel().toNested()) as unknown[];
    const expected = transposedIndices(rows, columns).map((i) => values[i]);
    expect(await source.T.copy().ravel().toNested()).toEqual(expected);
  }
});

test("operators accept transposed operands combined with all other layouts", async () => {
  const [rows, columns] = [37, 75];
  const a = xp.arange(rows * columns, { dtype: "float32" }).reshape([rows, columns]);
  const b = xp.arange(rows * columns, { dtype: "float32" }).reshape([columns, rows]);
  const row = xp.arange(rows, { dtype: "float32" });
  const expected = transposedIndices(rows, columns).map((i, k) => i + k + (k % rows));
  expect([...(await a.T.add(b).add(row).data())]).toEqual(expected);
  expect([...(await b.add(a.T).add(row).data())]).toEqual(expected);
  const out = xp.empty([columns, rows], { dtype: "float32" });
  a.T.add(b, { out });
  expect([...(await out.data())]).toEqual(transposedIndices(rows, columns).map((i, k) => i + k));
  a.T.add(a.T.mul(2), { out });
  expect([...(await out.data())]).toEqual(transposedIndices(rows, columns).map((i) => 3 * i));
});

test("copies arrays with any order of three axes or more", async () => {
  const shape = [11, 13, 17];
  const a = xp.arange(11 * 13 * 17, { dtype: "int32" }).reshape(shape);
  const at = (i: number, j: number, k: number): number => (i * 13 + j) * 17 + k;
  for (const axes of [
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
  ]) {
    const view = a.transpose(axes);
    const expected: number[] = [];
    const index = [0, 0, 0];
    const [e0, e1, e2] = view.shape as [number, number, number];
    for (let i = 0; i < e0; i++) {
      for (let j = 0; j < e1; j++) {
        for (let k = 0; k < e2; k++) {
          for (const [n, axis] of axes.entries()) index[axis] = [i, j, k][n] as number;
          expected.push(at(...(index as [number, number, number])));
        }
      }
    }
    expect([...(await view.copy().data())]).toEqual(expected);
    expect([...(await view.slice(":", "1:", "::-1").copy().slice(0, 0, ":3").data())]).toEqual(
      [e2 - 1, e2 - 2, e2 - 3].map((k) => expected[e2 + k]),
    );
  }
});
