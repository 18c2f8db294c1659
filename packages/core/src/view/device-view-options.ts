/** What can be said to device views. */
import type { LayoutOptions, Order, Shape } from "@cl/base";

import type { DTypeLike } from "../dtype/registry.js";
import type { WaitFor } from "../event/event.js";
import type { BufferAccessOptions } from "../memory/buffer-options.js";
import type { MapAccess } from "../mapping/map.js";
import type { TypedArray } from "../typed/index.js";

/** How a view lies over memory. */
export interface DeviceViewOptions extends LayoutOptions {
  /** What the elements are; those of the buffer if not said. */
  readonly dtype?: DTypeLike;
  /** True refuses changes through this view and its parts. Kernels are not kept from them. */
  readonly readonly?: boolean;
}

/** How to make a view with memory of its own. */
export interface EmptyViewOptions extends BufferAccessOptions {
  /** Which axis is next to each other in memory: the last (`"C"`, if not said) or the first (`"F"`). */
  readonly order?: Order;
}

/** How to make a view from values of the host. */
export interface FromHostOptions extends BufferAccessOptions {
  /** What the elements are. If not said: those of the array, float64 for numbers, int64 for bigints. */
  readonly dtype?: DTypeLike;
  /** The extents, of which one may be -1; as the values are nested, if not said. */
  readonly shape?: Shape;
  /** Copy the values (`"copy"`, if not said), or live in their memory (`"use"`), which must then not be resizable. */
  readonly hostPointer?: "copy" | "use";
  /** True refuses changes through this view and its parts. Kernels are not kept from them. */
  readonly readonly?: boolean;
}

/** What a transfer of a view waits for. */
export interface ViewTransferOptions {
  /** What the transfer waits for. */
  readonly waitFor?: WaitFor;
}

/** How to read a view. */
export interface ViewReadOptions extends ViewTransferOptions {
  /** Which axis is next to each other in the result: the last (`"C"`, if not said) or the first (`"F"`). */
  readonly order?: Order;
}

/** How to stop waiting. */
export interface SignalOptions {
  /** Ends the wait, not the transfer. */
  readonly signal?: AbortSignal;
}

/** Where to read to. */
export interface ViewReadInto<T extends TypedArray> {
  /** An array of exactly the view's elements to fill, instead of a new one. Leave it alone until the read is done. */
  readonly into: T;
}

/** How to map a view. */
export interface ViewMapOptions extends ViewTransferOptions {
  /**
   * What will be done with the elements; reading and writing if not said, or reading where the view is read-only. With
   * `"write-invalidate"` a view without gaps starts with undefined contents.
   */
  readonly access?: MapAccess;
}
