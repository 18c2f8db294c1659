/** Reductions over all ranks as members of kernel lists. */
import { checkInstance, typeError } from "@cl/base";
import { DeviceBuffer } from "@cl/core";
import { relayMemory } from "@cl/core/internal";
import type { Launcher } from "@cl/launcher";

import { type Reduction, reductionOf, typeOf } from "./element-types.js";
import { type HostArray, kinds } from "./native.js";
import { addRepeated } from "./operations.js";
import type { Ranks } from "./ranks.js";
import { Relayed } from "./relayed.js";

/** Returns a launcher that replaces the elements of a buffer by those of all ranks combined. */
export function allreduceLauncher(ranks: Ranks, name: string, buffer: DeviceBuffer, operation: Reduction): Launcher {
  const { type } = checkInstance(buffer, DeviceBuffer, "buffer");
  if (typeof type !== "function") throw typeError("buffer", "a buffer of a typed array's elements", buffer);
  const host = relayMemory(buffer.context, buffer.size);
  const values = new (type as new (memory: ArrayBuffer) => HostArray)(host.buffer);
  const element = typeOf(values, "buffer");
  const reduction = reductionOf(operation, values);
  const number = addRepeated(name, kinds.allreduce, ranks.handle, element, values, values, 0, reduction);
  const part = {
    origin: [0, 0, 0],
    region: [values.byteLength, 1, 1],
    pitches: [0, 0],
    hostOffset: 0,
  } as const;
  // One rank has the result.
  const isIdle = ranks.size === 1;
  const relayed = new Relayed(`allreduce "${name}"`, { number, isIdle }, host, (relay) => {
    if (!isIdle) relay.read(buffer, part).write(buffer, part);
  });
  return relayed.launcher(name, [buffer], [buffer]);
}
