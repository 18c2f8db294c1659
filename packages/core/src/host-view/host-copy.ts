/** Strided copies between host memory. */
import type { StridedCopy } from "@cl/base";

/** Integer arrays used for copying; floating-point arrays could change the bits of a NaN. */
type Words = Uint8Array | Uint16Array | Uint32Array;

/** Minimum size of a contiguous run, in bytes, that is copied by `set`: a call costs as much as a dozen words. */
const longRun = 64;

/** Copies between two byte arrays that do not overlap. */
export function copyHost(copy: StridedCopy, from: Uint8Array, to: Uint8Array): void {
  const unit = copy.run >= longRun ? 1 : wordOf(copy, from, to);
  const [source, target] = [wordsOver(from, unit), wordsOver(to, unit)];
  const run = copy.run / unit;
  const long = copy.run >= longRun;
  const { shape } = copy;
  const fromStrides = copy.from.strides.map((stride) => stride / unit);
  const toStrides = copy.to.strides.map((stride) => stride / unit);
  const walk = (axis: number, fromAt: number, toAt: number): void => {
    if (axis === shape.length) {
      if (long) target.set(source.subarray(fromAt, fromAt + run), toAt);
      else for (let i = 0; i < run; i++) target[toAt + i] = source[fromAt + i] as number;
      return;
    }
    const extent = shape[axis] as number;
    const [fromStride, toStride] = [fromStrides[axis] as number, toStrides[axis] as number];
    if (axis === shape.length - 1 && run === 1) {
      for (let i = 0; i < extent; i++) target[toAt + i * toStride] = source[fromAt + i * fromStride] as number;
      return;
    }
    for (let i = 0; i < extent; i++) walk(axis + 1, fromAt + i * fromStride, toAt + i * toStride);
  };
  walk(0, copy.from.offset / unit, copy.to.offset / unit);
}

/** Returns the largest word size that divides all offsets and strides. */
function wordOf({ run, from, to }: StridedCopy, source: Uint8Array, target: Uint8Array): 1 | 2 | 4 {
  const distances = [run, from.offset, to.offset, ...from.strides, ...to.strides, source.byteOffset, target.byteOffset];
  for (const unit of [4, 2] as const) if (distances.every((distance) => distance % unit === 0)) return unit;
  return 1;
}

function wordsOver({ buffer, byteOffset, byteLength }: Uint8Array, unit: 1 | 2 | 4): Words {
  if (unit === 1) return new Uint8Array(buffer, byteOffset, byteLength);
  if (unit === 2) return new Uint16Array(buffer, byteOffset, Math.floor(byteLength / 2));
  return new Uint32Array(buffer, byteOffset, Math.floor(byteLength / 4));
}
