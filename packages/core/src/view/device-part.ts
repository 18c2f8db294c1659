/**
 * The validated memory and layout of a device view. Transfers and kernels use only this, so that properties added to a
 * view cannot cause accesses outside the memory.
 */
import { checkBoolean, checkOptions, type Layout, planLayout, sizeOf, typeError } from "@cl/base";

import { handleOf } from "../binding/resource.js";
import type { DType } from "../dtype/dtype.js";
import { checkDType } from "../dtype/registry.js";
import { DeviceBuffer } from "../memory/buffer.js";
import type { BufferAccessOptions } from "../memory/buffer-options.js";
import type { Context } from "../platform/context.js";
import type { DeviceViewOptions } from "./device-view-options.js";

/** Elements of a buffer. */
export class DevicePart {
  readonly buffer: DeviceBuffer;
  readonly type: DType;
  readonly itemSize: number;
  readonly layout: Layout;
  readonly size: number;
  readonly readonly: boolean;
  /** Whether the view created the buffer and releases it. */
  readonly owner: boolean;

  constructor(buffer: DeviceBuffer, type: DType, itemSize: number, layout: Layout, readonly: boolean, owner = false) {
    this.buffer = buffer;
    this.type = type;
    this.itemSize = itemSize;
    this.layout = layout;
    this.size = sizeOf(layout.shape);
    this.readonly = readonly;
    this.owner = owner;
  }

  /** Returns other elements of the same memory. */
  with(layout: Layout, readonly: boolean): DevicePart {
    return new DevicePart(this.buffer, this.type, this.itemSize, layout, readonly);
  }

  /**
   * Returns the elements of a buffer that options select. Images are not supported: their bytes are not addressable.
   */
  static of(memory: unknown, options: DeviceViewOptions | undefined): DevicePart {
    if (!(memory instanceof DeviceBuffer)) throw typeError("memory", "a DeviceBuffer", memory);
    const buffer = memory as DeviceBuffer;
    handleOf(buffer);
    const given = checkOptions(options, ["dtype", "readonly", "shape", "strides", "order", "offset"]);
    const type = checkDType(given.dtype ?? buffer.type ?? Uint8Array, "options.dtype");
    const { itemSize } = type;
    const layout = planLayout(given, itemSize, buffer.size, "the memory");
    return new DevicePart(buffer, type, itemSize, layout, checkBoolean(given.readonly, "options.readonly", false));
  }

  /** Allocates memory for elements; at least one, because OpenCL has no empty buffers. */
  static empty(
    context: Context,
    type: DType,
    itemSize: number,
    layout: Layout,
    access: BufferAccessOptions,
    readonly: boolean,
  ): DevicePart {
    const size = Math.max(sizeOf(layout.shape), 1) * itemSize;
    const buffer = new DeviceBuffer(context, { ...access, size, type: type.arrayType });
    return new DevicePart(buffer, type, itemSize, layout, readonly, true);
  }
}
