/** Packing of bits into bytes. */
import { addComputations } from "../../array/add-methods.js";
import { Arrays, asDeviceArray, type DeviceArray } from "../../array/arrays.js";
import { packbits, type PackOptions, unpackbits, type UnpackOptions } from "../../creation/packed-bits.js";
import type { AnyArray } from "../../storage/array-ref.js";

/** Functions that pack and unpack bits. */
class BitFunctions {
  /**
   * Returns the elements of a boolean or integer array, as 0 or 1, packed into bytes of eight. The last byte is filled
   * with zeros.
   *
   * @example
   * ```ts
   * const xp = arrays(queue);
   * const bytes = xp.packbits(xp.array([true, false, true, false, false, false, false, true, true]));
   * console.log(await bytes.data()); // Uint8Array(2) [161, 128]
   * console.log(await xp.unpackbits(bytes, { count: 3 }).data()); // Uint8Array(3) [1, 0, 1]
   * ```
   */
  packbits(this: Arrays, array: AnyArray, options?: PackOptions): DeviceArray<"uint8"> {
    return asDeviceArray(packbits(this, array, options));
  }

  /** Returns the bits of a uint8 array, as bytes of 0 and 1. */
  unpackbits(this: Arrays, array: DeviceArray<"uint8">, options?: UnpackOptions): DeviceArray<"uint8"> {
    return asDeviceArray(unpackbits(this, array, options));
  }
}

declare module "../../array/arrays.js" {
  interface Arrays extends BitFunctions {}
}
addComputations(Arrays, BitFunctions);
