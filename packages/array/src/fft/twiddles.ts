/** The tables of one pass: the roots of unity between its steps, and the output order on CPUs. */
import type { Context, DeviceBuffer } from "@cl/core";
import type { RealType } from "./butterflies-source.js";
import { radicesRoom } from "./lanes-source.js";
import { pairs, storeRoot, tableOf } from "./tables.js";

/**
 * Returns the twiddle factors of each step, without the first, which is 1: `length - 1` in total. For GPUs those of one
 * result are contiguous, for CPUs those of one position.
 */
export function twiddlesOf(
  context: Context,
  real: RealType,
  radices: readonly number[],
  order: "results" | "places",
): DeviceBuffer {
  return tableOf(context, `twiddles ${real} ${order} ${radices.join()}`, () => {
    const length = radices.reduce((product, one) => product * one, 1);
    const table = pairs(real, Math.max(length, 1));
    storeTwiddles(table, radices, order);
    return table;
  });
}

/** Stores them. */
export function storeTwiddles(
  table: Float32Array | Float64Array,
  radices: readonly number[],
  order: "results" | "places",
): void {
  let at = 0;
  let size = radices.reduce((product, one) => product * one, 1);
  for (const radix of radices) {
    const places = size / radix;
    for (let place = 0; place < places; place++) {
      for (let k = 1; k < radix; k++) {
        const index = order === "results" ? (k - 1) * places + place : place * (radix - 1) + k - 1;
        storeRoot(table, at + index, place * k, size);
      }
    }
    at += size - places;
    size = places;
  }
}

/** How many radices, these, and in which place each result is once all were there. */
export function rowsOf(context: Context, radices: readonly number[]): DeviceBuffer {
  return tableOf(context, `rows ${radices.join()}`, () => placesOf(radices));
}

/** The same for the host. */
export function placesOf(radices: readonly number[]): Int32Array {
  const length = radices.reduce((product, one) => product * one, 1);
  const table = new Int32Array(radicesRoom + length);
  table.set([radices.length, ...radices]);
  for (let result = 0; result < length; result++) {
    let place = 0;
    let rest = result;
    let size = length;
    for (const radix of radices) {
      size /= radix;
      place += (rest % radix) * size;
      rest = Math.floor(rest / radix);
    }
    table[radicesRoom + result] = place;
  }
  return table;
}
