/** Indices along several axes, compared with NumPy. */
import { expect, test } from "vitest";

import { needs } from "@cl/base/testing";
import { errorLike } from "@cl/testing/error-like";
import { xp } from "./support/device.js";
import { hasNumPy } from "./support/numpy.js";
import { counted, countedText, type EvalCase, evalDifferences } from "./support/numpy-eval.js";

const stacked = (arrays: readonly Parameters<typeof xp.stack>[0][number][]) => xp.stack([...arrays]);

test("indices are converted and stored as by NumPy", async (run) => {
  needs(run, hasNumPy, "NumPy is not installed (apt install python3-numpy)");
  const device = xp.array(
    [
      [23, 0],
      [7, 11],
    ],
    { dtype: "uint8" },
  );
  const matrix = (rows: number, columns: number) => counted([rows, columns], "float32");
  const filled = (rows: number, columns: number, values: string, wrap: string): string => {
    const text = `f(${countedText([rows, columns], "float32")})`;
    return `(lambda f: ${text})(lambda a: (np.fill_diagonal(a, ${values}, wrap=${wrap}), a)[1])`;
  };
  const cases: EvalCase[] = [
    {
      ours: () => stacked(xp.unravelIndex([5, 0, 3], [2, 3])),
      theirs: "np.stack(np.unravel_index([5, 0, 3], (2, 3)))",
    },
    {
      ours: () => stacked(xp.unravelIndex(7, [2, 2, 3], { order: "F" })),
      theirs: "np.stack(np.unravel_index(7, (2, 2, 3), order='F'))",
    },
    {
      ours: () => stacked(xp.unravelIndex(device, [2, 3, 4])),
      theirs: "np.stack(np.unravel_index([[23, 0], [7, 11]], (2, 3, 4)))",
    },
    {
      ours: () => stacked(xp.unravelIndex(device.T, [24])),
      theirs: "np.stack(np.unravel_index([[23, 7], [0, 11]], (24,)))",
    },
    {
      ours: () =>
        xp.ravelMultiIndex(
          [
            [1, 0],
            [2, 1],
          ],
          [2, 3],
        ),
      theirs: "np.ravel_multi_index(([1, 0], [2, 1]), (2, 3))",
    },
    {
      ours: () =>
        xp.ravelMultiIndex(
          [
            [[1], [0]],
            [2, 1],
          ],
          [2, 3],
          { order: "F" },
        ),
      theirs: "np.ravel_multi_index(([[1], [0]], [2, 1]), (2, 3), order='F')",
    },
    { ours: () => xp.ravelMultiIndex([1, 2], [2, 3]), theirs: "np.array(np.ravel_multi_index((1, 2), (2, 3)))" },
    {
      ours: () =>
        xp.ravelMultiIndex(
          [
            [-5, 7],
            [9, -1],
          ],
          [2, 3],
          { mode: ["wrap", "clip"] },
        ),
      theirs: "np.ravel_multi_index(([-5, 7], [9, -1]), (2, 3), mode=('wrap', 'clip'))",
    },
    {
      ours: () => xp.ravelMultiIndex([device, 1], [30, 3], { mode: "clip" }),
      theirs: "np.ravel_multi_index(([[23, 0], [7, 11]], 1), (30, 3), mode='clip')",
    },
    {
      ours: () => counted([4, 5], "int16").at(...xp.ix([3, 0], [1, 1, 4])),
      theirs: `${countedText([4, 5], "int16")}[np.ix_([3, 0], [1, 1, 4])]`,
    },
    {
      ours: () => counted([4, 5], "int16").at(...xp.ix([true, false, false, true], [1])),
      theirs: `${countedText([4, 5], "int16")}[np.ix_([True, False, False, True], [1])]`,
    },
    { ours: () => matrix(0, 2), theirs: countedText([0, 2], "float32") },
    ...[
      [2, 2],
      [3, 2],
      [2, 4],
      [7, 2],
      [5, 1],
    ].flatMap(([rows = 0, columns = 0]): EvalCase[] => [
      { ours: () => xp.fillDiagonal(matrix(rows, columns), -1), theirs: filled(rows, columns, "-1", "False") },
      {
        ours: () => xp.fillDiagonal(matrix(rows, columns), [-1, -2, -3], { wrap: true }),
        theirs: filled(rows, columns, "[-1, -2, -3]", "True"),
      },
    ]),
    {
      ours: () => xp.fillDiagonal(xp.zeros([3, 3, 3], { dtype: "int8" }), 1),
      theirs: "(lambda a: (np.fill_diagonal(a, 1), a)[1])(np.zeros((3, 3, 3), np.int8))",
    },
    ...[-3, -1, 0, 1, 5].flatMap((diagonal): EvalCase[] =>
      [2, 3, 4].flatMap((columns) => [
        {
          ours: () => stacked(xp.trilIndices(3, { columns, diagonal })),
          theirs: `np.stack(np.tril_indices(3, ${diagonal}, ${columns}))`,
        },
        {
          ours: () => stacked(xp.triuIndices(3, { columns, diagonal })),
          theirs: `np.stack(np.triu_indices(3, ${diagonal}, ${columns}))`,
        },
      ]),
    ),
    ...[[], [4], [2, 3], [2, 3, 4], [2, 1, 2, 1]].flatMap((shape): EvalCase[] => [
      { ours: () => xp.atleast1d(counted(shape, "int8")), theirs: `np.atleast_1d(${countedText(shape, "int8")})` },
      { ours: () => xp.atleast2d(counted(shape, "int8")), theirs: `np.atleast_2d(${countedText(shape, "int8")})` },
      { ours: () => xp.atleast3d(counted(shape, "int8")), theirs: `np.atleast_3d(${countedText(shape, "int8")})` },
    ]),
  ];
  expect(await evalDifferences(cases)).toEqual([]);
});

test("indices that are out of range are rejected", async () => {
  const range = (text: string): unknown => errorLike(RangeError, "ERR_OUT_OF_RANGE", text);
  expect(() => xp.unravelIndex([6], [2, 3])).toThrow(range("6"));
  expect(() => xp.unravelIndex([-1], [2, 3])).toThrow(range("-1"));
  expect(() => xp.ravelMultiIndex([[2], [0]], [2, 3])).toThrow(range("axis 0"));
  expect(() => xp.ravelMultiIndex([[0]], [2, 3])).toThrow(range("indices"));
  expect(() => xp.ravelMultiIndex([[0], [0]], [2, 3], { mode: ["wrap"] })).toThrow(range("options.mode"));
  expect(() => xp.unravelIndex([0], [0, 3])).toThrow(range("axis 0"));
  const device = xp.array([6], { dtype: "int32" });
  await expect(xp.unravelIndex(device, [2, 3])[0].data()).rejects.toThrow(range("6"));
  await expect(xp.ravelMultiIndex([0, device], [2, 3]).data()).rejects.toThrow(range("axis 1"));
});

test("wrong arguments are rejected by name", () => {
  const type = (text: string): unknown => errorLike(TypeError, "ERR_INVALID_ARG_TYPE", text);
  const range = (text: string): unknown => errorLike(RangeError, "ERR_OUT_OF_RANGE", text);
  const floats = xp.zeros([2, 3], { dtype: "float32" });
  expect(() => xp.unravelIndex([0.5], [2])).toThrow(type("indices[0]"));
  expect(() => xp.unravelIndex(floats as never, [2])).toThrow(type("indices"));
  expect(() => xp.unravelIndex([0], [])).toThrow(range("shape"));
  expect(() => xp.ravelMultiIndex([0, [true]], [2, 3])).toThrow(type("indices[1]"));
  expect(() => xp.ix([0], floats as never)).toThrow(type("indices[1]"));
  expect(() => xp.ix([[0]])).toThrow(range("indices[0]"));
  expect(() => xp.fillDiagonal(floats.slice(0), 1)).toThrow(range("[3]"));
  expect(() => xp.fillDiagonal(xp.zeros([2, 2, 3]), 1)).toThrow(range("[2,2,3]"));
});
