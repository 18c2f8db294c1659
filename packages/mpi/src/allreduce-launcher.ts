/** Reductions over all ranks as members of kernel lists. */
import { checkInstance, typeError } from "@cl/base";
import { DeviceBuffer } from "@cl/core";
import type { Launcher } from "@cl/launcher";

import { checkCount, type Reduction, reductionOf, typeOf } from "./element-types.js";
import { type HostArray, native } from "./native.js";
import type { Ranks } from "./ranks.js";
import { Relayed } from "./relayed.js";

/** Returns a launcher that replaces the elements of a buffer by those of all ranks combined. */
export function allreduceLauncher(ranks: Ranks, name: string, buffer: DeviceBuffer, operation: Reduction): Launcher {
  const { type } = checkInstance(buffer, DeviceBuffer, "buffer");
  if (typeof type !== "function") throw typeError("buffer", "a buffer of a typed array's elements", buffer);
  const none = new (type as new (length: number) => HostArray)(0);
  const element = typeOf(none, "buffer");
  const count = buffer.size / none.BYTES_PER_ELEMENT;
  checkCount(count, "buffer");
  const number = native.addAllreduce(name, ranks.handle, element, count, reductionOf(operation, none));
  const part = { origin: [0, 0, 0], region: [buffer.size, 1, 1], pitches: [0, 0], message: 0, offset: 0 } as const;
  // One rank has the result.
  const isIdle = ranks.size === 1;
  const relayed = new Relayed(`allreduce "${name}"`, { number, isIdle }, (relay) => {
    if (!isIdle) relay.read(buffer, part).write(buffer, part);
  });
  return relayed.launcher(name, [buffer], [buffer]);
}
