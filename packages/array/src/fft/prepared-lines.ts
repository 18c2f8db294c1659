/** A cache of transform plans by device; planning takes longer than the transform of short lines. */
import { memoizePerObject, OwnerCache } from "@cl/base";
import type { CommandQueue, Context, Device } from "@cl/core";

/** Maximum number of kinds of lines for each device of a context. */
const capacity = 256;

/** Prepared kinds of lines. They depend on the local memory and the work-group sizes of a device. */
export class PreparedLines<P> {
  readonly #cacheOf: (context: Context) => OwnerCache<Device, P> = memoizePerObject(() => new OwnerCache({ capacity }));

  /** Returns the cached value of a key, or that of `prepare`. */
  of({ context, device }: CommandQueue, key: string, prepare: () => P): P {
    return this.#cacheOf(context).get(device, key, prepare);
  }
}
