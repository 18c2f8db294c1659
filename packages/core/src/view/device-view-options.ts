/** Options of device views. */
import type { LayoutOptions, Order, Shape } from "@cl/base";

import type { DTypeLike } from "../dtype/registry.js";
import type { WaitFor } from "../event/event.js";
import type { BufferAccessOptions } from "../memory/buffer-options.js";
import type { MapAccess } from "../mapping/map.js";
import type { TypedArray } from "../typed/index.js";

/** Options for creating a view of existing memory. */
export interface DeviceViewOptions extends LayoutOptions {
  /**
   * Element type.
   * @defaultValue the buffer's element type
   */
  readonly dtype?: DTypeLike;
  /**
   * Whether writes through this view and views of it throw. Does not restrict kernels.
   * @defaultValue false
   */
  readonly readonly?: boolean;
}

/** Options for creating a view of new memory. */
export interface EmptyViewOptions extends BufferAccessOptions {
  /**
   * Which axis is contiguous: the last (`"C"`) or the first (`"F"`).
   * @defaultValue `"C"`
   */
  readonly order?: Order;
}

/** Options for creating a view from host values. */
export interface FromHostOptions extends BufferAccessOptions {
  /**
   * Element type.
   * @defaultValue that of the array; float64 for numbers, int64 for bigints
   */
  readonly dtype?: DTypeLike;
  /**
   * Shape; one extent may be -1.
   * @defaultValue the shape of the values
   */
  readonly shape?: Shape;
  /**
   * Copy the values (`"copy"`) or use their memory (`"use"`), which must then not be resizable.
   * @defaultValue `"copy"`
   */
  readonly hostPointer?: "copy" | "use";
  /**
   * Whether writes through this view and views of it throw. Does not restrict kernels.
   * @defaultValue false
   */
  readonly readonly?: boolean;
}

/** Options for a transfer of a view. */
export interface ViewTransferOptions {
  /** Events that the transfer waits for. */
  readonly waitFor?: WaitFor;
}

/** Options for reading a view. */
export interface ViewReadOptions extends ViewTransferOptions {
  /**
   * Which axis of the result is contiguous: the last (`"C"`) or the first (`"F"`).
   * @defaultValue `"C"`
   */
  readonly order?: Order;
}

/** Options for canceling a wait. */
export interface SignalOptions {
  /** Cancels the wait, not the transfer. */
  readonly signal?: AbortSignal;
}

/** Destination of a read. */
export interface ViewReadInto<T extends TypedArray> {
  /** Typed array of the view's size to fill instead of a new one. It must not be used until the read has completed. */
  readonly into: T;
}

/** Options for mapping a view. */
export interface ViewMapOptions extends ViewTransferOptions {
  /**
   * Host access to the elements. With `"write-invalidate"` the initial contents of a view without gaps are undefined.
   * @defaultValue `"read-write"`, or `"read"` for a read-only view
   */
  readonly access?: MapAccess;
}
