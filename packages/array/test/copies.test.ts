/** Copies between layouts of different memory order: transposed matrices and every second element. */
import type { SliceIndex } from "@cl/core";
import type { DeviceArray, DTypeName } from "@cl/array";
import * as fc from "fast-check";
import { expect, test } from "vitest";

import { xp } from "./support/device.js";
import { caseCount, sample } from "@cl/testing/level";

const types: readonly DTypeName[] = sample(["uint8", "int16", "float32", "int64", "complex128"], 2);

/** Counts up; complex numbers have the same number in both parts, small dtypes wrap around. */
function counted(shape: readonly number[], dtype: DTypeName): DeviceArray {
  const size = shape.reduce((product, extent) => product * extent, 1);
  const bytes = new Uint8Array(size * xp.empty([], { dtype }).itemSize);
  for (let i = 0; i < bytes.length; i++) bytes[i] = (i * 31 + (i >> 8) * 17 + (i >> 16)) & 127;
  return xp.fromHost(bytes).viewAs(dtype).reshape(shape);
}

/** The bytes of each element in C order, computed on the host from the whole array. */
async function expected(whole: DeviceArray, view: DeviceArray): Promise<Uint8Array> {
  const data = await whole.ravel().data();
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  const { shape, strides, offset, itemSize } = view;
  const result = new Uint8Array(view.nbytes);
  const index = shape.map(() => 0);
  for (let k = 0; k < view.size; k++) {
    const at = index.reduce((sum, one, axis) => sum + one * (strides[axis] as number), offset);
    result.set(bytes.subarray(at, at + itemSize), k * itemSize);
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      index[axis] = (index[axis] as number) + 1;
      if ((index[axis] as number) < (shape[axis] as number)) break;
      index[axis] = 0;
    }
  }
  return result;
}

async function copies(whole: DeviceArray, view: DeviceArray): Promise<boolean> {
  using copy = view.copy({ order: "C" });
  const data = await copy.data();
  expect(copy.strides).toEqual(xp.empty(view.shape, { dtype: view.dtype.name }).strides);
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  return bytes.equals(await expected(whole, view));
}

test.each(types)("copies a transposed matrix of %s, for any shape", { tags: "ci" }, async (dtype) => {
  for (const shape of ["8 8", "9 17", "63 65", "64 128", "130 71", "200 8", "16 300"]) {
    const whole = counted(shape.split(" ").map(Number), dtype);
    expect(await copies(whole, whole.T)).toBe(true);
    expect(await copies(whole, whole.slice("::-1", "::-1").T)).toBe(true);
    expect(await copies(whole, whole.slice("1:", ":-1").T)).toBe(true);
  }
});

test.each(types)("copies every second element of %s without reading past the end", { tags: "full" }, async (dtype) => {
  for (const length of [64, 65, 127, 128, 129, 1000, 9001]) {
    const whole = counted([length * 2 - 1], dtype);
    expect(await copies(whole, whole.slice("::2"))).toBe(true);
    const pairs = counted([3, length * 2], dtype);
    expect(await copies(pairs, pairs.slice(":", "::2"))).toBe(true);
    expect(await copies(pairs, pairs.slice("::-2", "1::2"))).toBe(true);
  }
});

test("copies into strided views leave the other elements unchanged", async () => {
  const target = xp.full([70, 90], 7, { dtype: "int32" });
  const source = counted([40, 30], "int32");
  target.slice("5:65:2", "10:50").assign(source.T);
  target.slice("1:3", "10:").assign(counted([2, 160], "int32").slice(":", "::2"));
  const values = await target.data();
  const sourceValues = await source.data();
  const halves = await counted([2, 160], "int32").data();
  for (let row = 0; row < 70; row++) {
    for (let column = 0; column < 90; column++) {
      const inside = row >= 5 && row < 65 && row % 2 === 1 && column >= 10 && column < 50;
      const second = (row === 1 || row === 2) && column >= 10;
      const expectedValue = inside ? sourceValues[(column - 10) * 30 + (row - 5) / 2] : 7;
      expect(values[row * 90 + column]).toBe(second ? halves[(row - 1) * 160 + (column - 10) * 2] : expectedValue);
    }
  }
});

test("copies views with any order of axes and any steps", { timeout: 240_000, tags: "ci" }, async () => {
  const step = fc.constantFrom<SliceIndex>(":", "::-1", "::2", "1::2", "::-3", "2:");
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...types),
      fc.array(fc.tuple(fc.integer({ min: 1, max: 20 }), step), { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 0, max: 23 }),
      async (dtype, axes, seed) => {
        const whole = counted(
          axes.map(([extent]) => extent),
          dtype,
        );
        const order = [...axes.keys()].sort((a, b) => ((a * 7 + seed) % 5) - ((b * 7 + seed) % 5) || a - b);
        const view = whole.slice(...axes.map(([, part]) => part));
        // Each layout repeats after a similar one.
        for (const one of [view.transpose(order), view, view.transpose(order)]) {
          expect(await copies(whole, one)).toBe(true);
        }
      },
    ),
    { numRuns: caseCount(60) },
  );
});
