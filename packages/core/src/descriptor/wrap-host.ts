/** Host memory that kernels work in, as if it were a buffer. */
import { byteLengthOf, oncePer, typeError } from "@cl/base";

import { DeviceBuffer } from "../memory/buffer.js";
import { elementTypeOf, type HostMemory } from "../dtype/host-array.js";
import type { Context } from "../platform/context.js";

/** One buffer for each array: two over the same memory would not see what the other does. */
const buffersOf = oncePer<Context, WeakMap<HostMemory, DeviceBuffer>>(() => new WeakMap());

/**
 * The buffer that lives in host memory. Kernels may write there only where all devices share memory with the host:
 * elsewhere the array would not show it.
 */
export function wrapHost(context: Context, host: HostMemory, readOnly: boolean, name: string): DeviceBuffer {
  const apart = readOnly ? undefined : context.devices.find((device) => !device.hostUnifiedMemory);
  if (apart !== undefined) {
    throw typeError(
      name,
      `memory of the device, or const: '${apart.name}' shares no memory with the host, which would not see what a kernel writes`,
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
