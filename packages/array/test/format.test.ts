/** Arrays are printed as NumPy prints them; the texts here are NumPy's. */
import { expect, test } from "vitest";

import { xp } from "./support/device.js";

const text = (
  values: Parameters<typeof xp.array>[0],
  dtype: "float32" | "int32" | "bool" | "float64" = "float64",
): Promise<string> => xp.array(values, { dtype }).format();

test.each<[values: number | number[] | number[][], expected: string]>([
  [[1, 2.5, 3.125], "[1.    2.5   3.125]"],
  [
    [
      [1, -2],
      [30, 4],
    ],
    "[[ 1. -2.]\n [30.  4.]]",
  ],
  [[1e10, 1.5], "[1.0e+10 1.5e+00]"],
  [[1e10, 1], "[1.e+10 1.e+00]"],
  [[0.1, 1 / 3], "[0.1        0.33333333]"],
  [[1, Infinity, -Infinity], "[  1.  inf -inf]"],
  [[NaN, -0.5], "[ nan -0.5]"],
  [0.25, "0.25"],
  [3, "3.0"],
])("%j", async (values, expected) => {
  expect(await text(values)).toBe(expected);
});

test("the digits of float32 are its own", async () => {
  expect(await text([0.1, 0.2], "float32")).toBe("[0.1 0.2]");
});

test("integers and booleans are aligned", async () => {
  expect(await text([1, -20, 300], "int32")).toBe("[  1 -20 300]");
  expect(await text([[true], [false]], "bool")).toBe("[[ True]\n [False]]");
  expect(
    await xp
      .array(
        [
          { re: 1, im: -2 },
          { re: 0.5, im: 3 },
        ],
        { dtype: "complex64" },
      )
      .format(),
  ).toBe("[1. -2.j 0.5+3.j]");
});

test("axes are apart by empty lines, lines are broken, and nothing is []", async () => {
  expect(await xp.arange(8, { dtype: "int32" }).reshape([2, 2, 2]).format()).toBe(
    "[[[0 1]\n  [2 3]]\n\n [[4 5]\n  [6 7]]]",
  );
  expect(await xp.arange(30, { dtype: "int32" }).format()).toBe(
    "[ 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23\n 24 25 26 27 28 29]",
  );
  expect(await xp.zeros([0, 2]).format()).toBe("[]");
});

test("long arrays are shortened", async () => {
  expect(await xp.arange(2000, { dtype: "int32" }).format()).toBe("[   0    1    2 ... 1997 1998 1999]");
  expect(await xp.arange(2000, { dtype: "int32" }).reshape([2, 1000]).format()).toBe(
    "[[   0    1    2 ...  997  998  999]\n [1000 1001 1002 ... 1997 1998 1999]]",
  );
});
