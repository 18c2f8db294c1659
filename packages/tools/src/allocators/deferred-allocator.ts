/** Buffers as OpenCL makes them: promised now, placed when a command first uses them. */
import { type Allocator, type Context, DeviceBuffer } from "@cl/core";

/** Gives buffers that OpenCL may place, or find no place for, when a command first uses them. */
export class DeferredAllocator implements Allocator {
  readonly context: Context;
  readonly deferred = true;

  constructor(context: Context) {
    this.context = context;
  }

  /** A buffer of so many bytes; null for none. */
  allocate(bytes: number): DeviceBuffer | null {
    return bytes === 0 ? null : new DeviceBuffer(this.context, bytes);
  }
}
