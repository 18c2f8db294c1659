/** Size classes of pools. */
import { checkFunction, checkInteger, rangeError, typeError } from "@cl/base";

/**
 * Assigns requests to bins. All requests of a bin share blocks of one size. In an implementation,
 * `sizeOf(binOf(bytes))` must be at least `bytes` for every number of bytes from 1.
 */
export interface Binning {
  /** Returns the bin for a request, an integer of at least 0. */
  binOf(bytes: number): number;
  /** Returns the size of a bin's blocks in bytes. */
  sizeOf(bin: number): number;
}

/**
 * Returns a binning by the leading bits of sizes. With 4 bits after the first, the default of pools, a block is at most
 * 1/16 larger than the request. More bits waste less memory, but fewer requests share blocks.
 *
 * @example
 * ```ts
 * const binning = leadingBits(4);
 * console.log(binning.sizeOf(binning.binOf(1000))); // 1023
 * ```
 */
export function leadingBits(bits = 4): Binning {
  checkInteger(bits, "bits", 0, 20);
  const mantissas = 2 ** bits;
  return {
    binOf(bytes: number): number {
      const exponent = floorLog2(bytes);
      // The bits after the first one, as a fraction in [0, 1), scaled to an integer.
      const mantissa =
        exponent < 31 && exponent >= bits
          ? (bytes >>> (exponent - bits)) - mantissas
          : Math.floor((bytes / 2 ** exponent - 1) * mantissas);
      return exponent * mantissas + mantissa;
    },
    sizeOf(bin: number): number {
      const exponent = Math.floor(bin / mantissas);
      const step = 2 ** exponent / mantissas;
      const next = (mantissas + (bin % mantissas) + 1) * step;
      // Bins narrower than one byte contain one size; for the others, take the largest size in the bin.
      return step < 1 ? Math.ceil(next - step) : next - 1;
    },
  };
}

function floorLog2(bytes: number): number {
  if (bytes < 2 ** 32) return 31 - Math.clz32(bytes);
  return 63 - Math.clz32(Math.floor(bytes / 2 ** 32));
}

/** Returns the value if it is a binning, otherwise throws. */
export function checkBinning(value: unknown, name: string): Binning {
  if (typeof value !== "object" || value === null) throw typeError(name, "a binning with binOf and sizeOf", value);
  const { binOf, sizeOf } = value as Binning;
  checkFunction(binOf, `${name}.binOf`);
  checkFunction(sizeOf, `${name}.sizeOf`);
  return value as Binning;
}

/** Returns the block size of a bin. Throws if a user's binning returns invalid values or too small blocks. */
export function blockSize(binning: Binning, bin: number, bytes: number): number {
  checkInteger(bin, "the result of binning.binOf");
  const size = checkInteger(binning.sizeOf(bin), "the result of binning.sizeOf");
  if (size < bytes) {
    throw rangeError("the result of binning.sizeOf", `at least the requested ${bytes} bytes`, size);
  }
  return size;
}
