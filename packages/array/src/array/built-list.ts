/** Lists of different lengths, one for each object, stored contiguously. */
import type { ArrayRef } from "../storage/array-ref.js";
import type { DTypeName } from "../types/dtype-name.js";
import { heldArrays } from "./array-scope.js";
import { asDeviceArray, type DeviceArray } from "./arrays.js";

type Places = ArrayRef<"int32" | "int64">;

/** The arrays that a list is made of; see `BuiltList`. */
export interface ListParts<D extends DTypeName = DTypeName> {
  readonly starts: Places;
  readonly values: ArrayRef<D>;
  readonly nonempty: Places | undefined;
  readonly compressed: Places | undefined;
}

/** The lists of all objects, stored contiguously. */
export class BuiltList<D extends DTypeName = DTypeName> implements Disposable {
  /** The number of values in all lists. */
  readonly count: number;
  /**
   * Index in `values` where each list starts, followed by the end of the last: int32 if that can hold the count, else
   * int64.
   */
  readonly starts: DeviceArray<"int32" | "int64">;
  /** The values, in the order of the objects. */
  readonly values: DeviceArray<D>;
  /** The indices of objects whose lists are not empty; undefined unless empty lists are eliminated. */
  readonly nonempty: DeviceArray<"int32" | "int64"> | undefined;
  /**
   * For each object, and after the last, the number of preceding objects with nonempty lists: the index of the object's
   * list. Undefined unless empty lists are eliminated.
   */
  readonly compressed: DeviceArray<"int32" | "int64"> | undefined;

  /** @internal */
  constructor({ starts, values, nonempty, compressed }: ListParts<D>) {
    this.starts = asDeviceArray(starts);
    this.values = asDeviceArray(values);
    this.count = values.size;
    this.nonempty = nonempty && asDeviceArray(nonempty);
    this.compressed = compressed && asDeviceArray(compressed);
  }

  /** The number of lists. */
  get lists(): number {
    return this.starts.size - 1;
  }

  /** @internal */
  [heldArrays](): readonly DeviceArray[] {
    return [this.starts, this.values, this.nonempty, this.compressed].filter((one) => one !== undefined);
  }

  /** Releases all arrays. */
  release(): void {
    for (const one of this[heldArrays]()) one.release();
  }

  /** Alias of {@link release}, for `using`. */
  [Symbol.dispose](): void {
    this.release();
  }
}
