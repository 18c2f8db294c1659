/**
 * Runs each kernel family once, on few elements, with CPU and GPU kernels. The sizes are around vector, chunk and group
 * limits. `scripts/oclgrind.mjs` runs these tests with each access checked.
 */
import type { Arrays, DeviceArray, DTypeName } from "@cl/array";
import { describe } from "vitest";

import { sample } from "@cl/testing/level";
import { hasDoubles } from "./device.js";
import { kinds, treatBlockAs } from "./treat-as.js";

/** Floating-point dtypes that can be stored. */
export const floats: readonly DTypeName[] = ["float16", "float32", ...(hasDoubles ? (["float64"] as const) : [])];
export const sizes: readonly number[] = [1, 3, 4, 63, 64, 65, 255, 257];

export interface Stage {
  readonly xp: Arrays;
  /** Elements that count from 0 to 99, repeatedly. */
  readonly count: <D extends DTypeName>(dtype: D, ...shape: number[]) => DeviceArray<D>;
  /** Blocks, because oclgrind does not call back while several reads are pending. */
  readonly numbers: (array: DeviceArray) => number[];
  readonly one: (array: DeviceArray) => number;
  readonly range: (n: number, of: (i: number) => number) => number[];
}

/** Describes tests once for each kind of device, or only for GPUs, since other tests run the kernels for CPUs. */
export function describeKinds(tests: (stage: Stage) => void): void {
  describe.each(sample(kinds.toReversed(), 1))("on %s", (_, type) => {
    const block = treatBlockAs(type);
    const numbers = (array: DeviceArray): number[] => Array.from(array.dataSync(), Number);
    tests({
      get xp() {
        return block.xp;
      },
      count: (dtype, ...shape) => {
        const values = Int32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_one, i) => i % 100);
        return block.xp.fromHost(values, { shape }).astype(dtype);
      },
      numbers,
      one: (array) => numbers(array)[0] as number,
      range: (n, of) => Array.from({ length: n }, (_one, i) => of(i)),
    });
  });
}
