/** Medians of complex numbers, in lexicographic order with NaN last. */
import { Disposals } from "../array/disposals.js";
import type { DeviceArray } from "../array/device-array.js";

/** Returns the median of each row. With `omit`, elements with NaN in either part do not count. */
export function complexMedian(rows: DeviceArray, omit: boolean): DeviceArray {
  const { xp } = rows;
  const [lines, length] = rows.shape as readonly [number, number];
  using all = new Disposals();
  const sorted = all.use(rows.sort({ axis: 1 }));
  const isNaN = all.use(sorted.isnan());
  const missing = all.use(isNaN.countNonzero({ axis: 1, keepDims: true }));
  // Without `omit`, rows with NaN have it in the last place.
  const hasNaN = all.use(missing.greater(0));
  const valid = all.use(
    omit ? all.use(missing.negative()).add(BigInt(length)) : all.use(hasNaN.mul(BigInt(length))).add(BigInt(length)),
  );
  const before = all.use(all.use(valid.sub(1n)).floorDivide(2n));
  const low = all.use(before.clip(0n, BigInt(length - 1)));
  const high = all.use(all.use(valid.floorDivide(2n)).clip(0n, BigInt(length - 1)));
  const a = all.use(sorted.takeAlongAxis(low as never, { axis: 1 }));
  const b = all.use(sorted.takeAlongAxis(high as never, { axis: 1 }));
  const mean = all.use(all.use(a.add(b)).mul(0.5));
  const isOne = all.use(low.equal(high));
  return all.use(xp.where(isOne, a, mean)).reshape([lines]);
}
