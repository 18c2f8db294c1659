/** Indices along several axes, compared with NumPy. */
import { expect, test } from "vitest";

import { outOfRange, wrongType } from "@cl/testing/error-like";
import { sample } from "@cl/testing/level";
import { xp } from "./support/device.js";
import { counted, countedText, type EvalCase, evalDifferences, needsNumPy } from "./support/numpy-eval.js";

const stacked = (arrays: readonly Parameters<typeof xp.stack>[0][number][]) => xp.stack([...arrays]);

test("indices are converted and stored as by NumPy", { tags: "ci" }, async (run) => {
  needsNumPy(run);
  const device = xp.array(Uint8Array.of(23, 0, 7, 11)).reshape([2, 2]);
  const [first, second, outer, inner] = [[1, 0], [2, 1], [-5, 7], [9, -1]]; // prettier-ignore
  const matrix = (rows: number, columns: number) => counted([rows, columns], "float32");
  const filled = (rows: number, columns: number, values: string, wrap: string): string => {
    const text = `f(${countedText([rows, columns], "float32")})`;
    return `(lambda f: ${text})(lambda a: (np.fill_diagonal(a, ${values}, wrap=${wrap}), a)[1])`;
  };
  const cases: EvalCase[] = [
    ...Object.entries({
      "np.stack(np.unravel_index([5, 0, 3], (2, 3)))": () => stacked(xp.unravelIndex([5, 0, 3], [2, 3])),
      "np.stack(np.unravel_index(7, (2, 2, 3), order='F'))": () =>
        stacked(xp.unravelIndex(7, [2, 2, 3], { order: "F" })),
      "np.stack(np.unravel_index([[23, 0], [7, 11]], (2, 3, 4)))": () => stacked(xp.unravelIndex(device, [2, 3, 4])),
      "np.stack(np.unravel_index([[23, 7], [0, 11]], (24,)))": () => stacked(xp.unravelIndex(device.T, [24])),
      "np.ravel_multi_index(([1, 0], [2, 1]), (2, 3))": () => xp.ravelMultiIndex([first, second], [2, 3]),
      "np.ravel_multi_index(([[1], [0]], [2, 1]), (2, 3), order='F')": () =>
        xp.ravelMultiIndex([[[1], [0]], second], [2, 3], { order: "F" }),
      "np.array(np.ravel_multi_index((1, 2), (2, 3)))": () => xp.ravelMultiIndex([1, 2], [2, 3]),
      "np.ravel_multi_index(([-5, 7], [9, -1]), (2, 3), mode=('wrap', 'clip'))": () =>
        xp.ravelMultiIndex([outer, inner], [2, 3], { mode: ["wrap", "clip"] }),
      "np.ravel_multi_index(([[23, 0], [7, 11]], 1), (30, 3), mode='clip')": () =>
        xp.ravelMultiIndex([device, 1], [30, 3], { mode: "clip" }),
      [`${countedText([4, 5], "int16")}[np.ix_([3, 0], [1, 1, 4])]`]: () =>
        counted([4, 5], "int16").at(...xp.ix([3, 0], [1, 1, 4])),
      [`${countedText([4, 5], "int16")}[np.ix_([True, False, False, True], [1])]`]: () =>
        counted([4, 5], "int16").at(...xp.ix([true, false, false, true], [1])),
    }).map(([theirs, ours]) => ({ theirs, ours })),
    { ours: () => matrix(0, 2), theirs: countedText([0, 2], "float32") },
    ...sample(["2 2", "3 2", "2 4", "7 2", "5 1"], 2)
      .map((text) => text.split(" ").map(Number))
      .flatMap(([rows = 0, columns = 0]): EvalCase[] => [
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
    ...sample([-3, -1, 0, 1, 5], 2).flatMap((diagonal): EvalCase[] =>
      sample([2, 3, 4], 2).flatMap((columns) => [
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
    ...sample([[], [4], [2, 3], [2, 3, 4], [2, 1, 2, 1]], 3).flatMap((shape): EvalCase[] => [
      { ours: () => xp.atleast1d(counted(shape, "int8")), theirs: `np.atleast_1d(${countedText(shape, "int8")})` },
      { ours: () => xp.atleast2d(counted(shape, "int8")), theirs: `np.atleast_2d(${countedText(shape, "int8")})` },
      { ours: () => xp.atleast3d(counted(shape, "int8")), theirs: `np.atleast_3d(${countedText(shape, "int8")})` },
    ]),
  ];
  expect(await evalDifferences(cases)).toEqual([]);
});

test("indices that are out of range are rejected", async () => {
  expect(() => xp.unravelIndex([6], [2, 3])).toThrow(outOfRange("6"));
  expect(() => xp.unravelIndex([-1], [2, 3])).toThrow(outOfRange("-1"));
  expect(() => xp.ravelMultiIndex([[2], [0]], [2, 3])).toThrow(outOfRange("axis 0"));
  expect(() => xp.ravelMultiIndex([[0]], [2, 3])).toThrow(outOfRange("indices"));
  expect(() => xp.ravelMultiIndex([[0], [0]], [2, 3], { mode: ["wrap"] })).toThrow(outOfRange("options.mode"));
  expect(() => xp.unravelIndex([0], [0, 3])).toThrow(outOfRange("axis 0"));
  const device = xp.array([6], { dtype: "int32" });
  await expect(xp.unravelIndex(device, [2, 3])[0].data()).rejects.toThrow(outOfRange("6"));
  await expect(xp.ravelMultiIndex([0, device], [2, 3]).data()).rejects.toThrow(outOfRange("axis 1"));
});

test("wrong arguments are rejected by name", () => {
  const floats = xp.zeros([2, 3], { dtype: "float32" });
  expect(() => xp.unravelIndex([0.5], [2])).toThrow(wrongType("indices[0]"));
  expect(() => xp.unravelIndex(floats as never, [2])).toThrow(wrongType("indices"));
  expect(() => xp.unravelIndex([0], [])).toThrow(outOfRange("shape"));
  expect(() => xp.ravelMultiIndex([0, [true]], [2, 3])).toThrow(wrongType("indices[1]"));
  expect(() => xp.ix([0], floats as never)).toThrow(wrongType("indices[1]"));
  expect(() => xp.ix([[0]])).toThrow(outOfRange("indices[0]"));
  expect(() => xp.fillDiagonal(floats.slice(0), 1)).toThrow(outOfRange("[3]"));
  expect(() => xp.fillDiagonal(xp.zeros([2, 2, 3]), 1)).toThrow(outOfRange("[2,2,3]"));
});
