/** What lines come to on a device, which takes longer to find than short lines take to transform. */
import type { CommandQueue, Context, Device } from "@cl/core";

/** So many sorts of lines are kept for each device of a context; then they are collected anew. */
const most = 256;

/** Remembers what sorts of lines came to. It depends on the memory and the groups of a device. */
export class PreparedLines<P> {
  readonly #kept = new WeakMap<Context, WeakMap<Device, Map<string, P>>>();

  /** What is remembered by a key and can still be used, or else what `prepare` gives now. */
  of({ context, device }: CommandQueue, key: string, isUsable: (kept: P) => boolean, prepare: () => P): P {
    let ofDevices = this.#kept.get(context);
    if (ofDevices === undefined) this.#kept.set(context, (ofDevices = new WeakMap<Device, Map<string, P>>()));
    let own = ofDevices.get(device);
    if (own === undefined) ofDevices.set(device, (own = new Map<string, P>()));
    const kept = own.get(key);
    if (kept !== undefined && isUsable(kept)) return kept;
    const prepared = prepare();
    if (own.size >= most) own.clear();
    own.set(key, prepared);
    return prepared;
  }
}
