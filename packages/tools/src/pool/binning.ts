/** Which blocks a pool takes for interchangeable. */
import { checkFunction, checkInteger, rangeError, typeError } from "@cl/base";

/**
 * How a pool sorts its blocks: requests of one bin get blocks of one size, so that any of them serves any of the requests.
 * Yours may be as it likes, as long as `sizeOf(binOf(bytes))` is at least `bytes`, for every number of bytes from 1.
 */
export interface Binning {
  /** The bin for a request, any integer from 0. */
  binOf(bytes: number): number;
  /** The bytes of the bin's blocks. */
  sizeOf(bin: number): number;
}

/**
 * Bins of sizes that begin with the same bits: with 4 of them behind the first, as pools have if nothing is said, a block
 * is at most a sixteenth larger than what was asked for. More bits waste less and share less.
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
      // All that follows the first bit, as a number from 0 to below 1, in steps of one mantissa.
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
      // Of bins for less than one byte each there is one size; of the others the largest below the next.
      return step < 1 ? Math.ceil(next - step) : next - 1;
    },
  };
}

function floorLog2(bytes: number): number {
  if (bytes < 2 ** 32) return 31 - Math.clz32(bytes);
  return 63 - Math.clz32(Math.floor(bytes / 2 ** 32));
}

/** Checks that a value is a way to sort blocks. */
export function checkBinning(value: unknown, name: string): Binning {
  if (typeof value !== "object" || value === null) throw typeError(name, "a binning, with binOf and sizeOf", value);
  const { binOf, sizeOf } = value as Binning;
  checkFunction(binOf, `${name}.binOf`);
  checkFunction(sizeOf, `${name}.sizeOf`);
  return value as Binning;
}

/** The size of a bin for so many bytes; a binning of the user's may be wrong. */
export function blockSize(binning: Binning, bin: number, bytes: number): number {
  checkInteger(bin, "what binning.binOf gives");
  const size = checkInteger(binning.sizeOf(bin), "what binning.sizeOf gives");
  if (size < bytes) {
    throw rangeError("what binning.sizeOf gives", `at least the ${bytes} bytes that were asked for`, size);
  }
  return size;
}
