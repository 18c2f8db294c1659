/** Buffers over host memory that kernels access directly. */
import { byteLengthOf, memoizePerObject, typeError } from "@cl/base";

import { DeviceBuffer } from "../memory/buffer.js";
import { elementTypeOf, type HostMemory } from "../dtype/host-array.js";
import type { Context } from "../platform/context.js";

/** One buffer per array, because two buffers over the same memory would not see each other's changes. */
const buffersOf = memoizePerObject<Context, WeakMap<HostMemory, DeviceBuffer>>(() => new WeakMap());

/**
 * Returns a buffer that uses the host memory. Throws unless it is read-only or all devices share memory with the host,
 * because otherwise the array would not show what kernels write.
 */
export function wrapHost(context: Context, host: HostMemory, readOnly: boolean, name: string): DeviceBuffer {
  const discrete = readOnly ? undefined : context.devices.find((device) => !device.hostUnifiedMemory);
  if (discrete !== undefined) {
    throw typeError(
      name,
      `device memory, or const: '${discrete.name}' shares no memory with the host, which would not see what a kernel writes`,
      host,
    );
  }
  const buffers = buffersOf(context);
  const known = buffers.get(host);
  if (known !== undefined && !known.released && known.size === byteLengthOf(host)) return known;
  if (byteLengthOf(host) === 0) throw typeError(name, "not empty (OpenCL has no empty buffers)", host);
  const type = elementTypeOf(host);
  const buffer = new DeviceBuffer(context, { host, hostPointer: "use", ...(type === undefined ? {} : { type }) });
  buffers.set(host, buffer);
  return buffer;
}
