/**
 * Each family of kernels once, on few elements, as processors get them and as GPUs do. The sizes lie around the edges of
 * vectors, chunks and groups. `scripts/oclgrind.mjs` runs these tests where each access is watched.
 */
import { CommandQueue, Context, Device, DeviceType } from "@cl/core";
import { type Arrays, arrays, type DeviceArray, type DTypeName } from "@cl/array";
import { afterAll, beforeAll, describe, vi } from "vitest";

import { hasDoubles } from "./device.js";

export const integers: readonly DTypeName[] = [
  "int8",
  "uint8",
  "int16",
  "uint16",
  "int32",
  "uint32",
  "int64",
  "uint64",
];
export const floats: readonly DTypeName[] = ["float16", "float32", ...(hasDoubles ? (["float64"] as const) : [])];
export const complex: readonly DTypeName[] = ["complex64", ...(hasDoubles ? (["complex128"] as const) : [])];
export const sizes: readonly number[] = [1, 3, 4, 63, 64, 65, 255, 257];

/** What tests of families work with. */
export interface Stage {
  readonly xp: Arrays;
  /** Elements that count up from 0 to 99, and again. */
  readonly count: <D extends DTypeName>(dtype: D, ...shape: number[]) => DeviceArray<D>;
  /** Blocking, since oclgrind does not call back where several reads are waited for. */
  readonly numbers: (array: DeviceArray) => number[];
  readonly one: (array: DeviceArray) => number;
  readonly range: (n: number, of: (i: number) => number) => number[];
}

/** Describes tests once for each kind of device. */
export function describeKinds(tests: (stage: Stage) => void): void {
  describe.each([
    ["processors", DeviceType.CPU],
    ["GPUs", DeviceType.GPU],
  ] as const)("on %s", (_, type) => {
    let xp: Arrays;

    beforeAll(() => {
      // oclgrind says that it is all of them.
      vi.spyOn(Device.prototype, "type", "get").mockReturnValue(type);
      // A context of its own, since kernels that were built are kept by context.
      xp = arrays(new CommandQueue(Context.create()));
    });
    afterAll(() => {
      vi.restoreAllMocks();
    });

    const numbers = (array: DeviceArray): number[] => Array.from(array.dataSync(), Number);
    tests({
      get xp() {
        return xp;
      },
      count: (dtype, ...shape) => {
        const values = Int32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_one, i) => i % 100);
        return xp.fromHost(values, { shape }).astype(dtype);
      },
      numbers,
      one: (array) => numbers(array)[0] as number,
      range: (n, of) => Array.from({ length: n }, (_one, i) => of(i)),
    });
  });
}
