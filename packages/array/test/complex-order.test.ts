/**
 * Ordering of complex numbers with NaN in either part; expected values are NumPy's.
 *
 * @module-tag full
 */
import type { DeviceArray } from "@cl/array";
import type { Complex } from "@cl/core";
import { expect, test } from "vitest";

import { xp } from "./support/device.js";

type Z = DeviceArray<"complex64">;

const z = (...values: readonly (readonly [number, number])[]): Z =>
  xp.array(
    values.map(([re, im]) => ({ re, im })),
    { dtype: "complex64" },
  );
const of = (re: number, im: number): Complex => ({ re, im });

const cases = [
  { values: z([1, 1], [0, NaN], [5, 5]), argmin: 1n, argmax: 1n, nanmin: of(1, 1), nanmax: of(5, 5) },
  { values: z([5, 5], [0, NaN]), argmin: 1n, argmax: 1n, nanmin: of(5, 5), nanmax: of(5, 5) },
  { values: z([0, NaN], [5, 5]), argmin: 0n, argmax: 0n, nanmin: of(5, 5), nanmax: of(5, 5) },
  { values: z([9, 0], [1, 0], [3, NaN], [NaN, 1]), argmin: 2n, argmax: 2n, nanmin: of(1, 0), nanmax: of(9, 0) },
  { values: z([NaN, 0], [0, NaN], [9, 0]), argmin: 0n, argmax: 0n, nanmin: of(9, 0), nanmax: of(9, 0) },
  { values: z([1, 2], [1, -2], [0, 9]), argmin: 2n, argmax: 0n, nanmin: of(0, 9), nanmax: of(1, 2) },
] as const;

test.each(cases)("min and max propagate NaN in the imaginary part (%#)", async ({ values, argmin, argmax }) => {
  expect(await values.argmin().item()).toBe(argmin);
  expect(await values.argmax().item()).toBe(argmax);
  const [first] = [await values.slice(Number(argmin)).item()];
  expect(await values.min().item()).toEqual(first);
});

test.each(cases)("nanmin and nanmax skip NaN in either part (%#)", async ({ values, nanmin, nanmax }) => {
  expect(await values.nanmin().item()).toEqual(nanmin);
  expect(await values.nanmax().item()).toEqual(nanmax);
});

test("min and max of large arrays propagate NaN in the imaginary part, along each axis", async () => {
  const rows = xp.zeros([300, 70], { dtype: "complex64" }).add({ re: 1, im: 1 });
  rows.slice(200, 33).assign({ re: 0.5, im: NaN });
  expect(await rows.argmax().item()).toBe(200n * 70n + 33n);
  expect((await rows.argmin({ axis: 0 }).data())[33]).toBe(200n);
  expect((await rows.argmax({ axis: 1 }).data())[200]).toBe(33n);
  expect(await rows.nanmin().item()).toEqual(of(1, 1));
});

test("nanmin of complex numbers is NaN if all of them are NaN", async () => {
  const { re, im } = await z([NaN, 1], [2, NaN]).nanmin().item();
  expect(Number.isNaN(re) || Number.isNaN(im)).toBe(true);
});
