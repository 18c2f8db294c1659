/** Implementations of copies. */
import {
  type CommandEvent,
  type CommandQueue,
  type CopyRange,
  DeviceBuffer,
  DeviceView,
  HostView,
  SvmPointer,
} from "@cl/core";

import { type Accesses, accessTo } from "../list/access.js";
import type { CopyLauncherEnd } from "./copy-ends.js";
import type { DeviceMove } from "./device-move.js";

/** A checked copy, ready to be enqueued. */
export interface CopyPlan {
  /** Enqueues the copy. `name` labels host functions. The command that moves the bytes is recorded. */
  enqueue(
    queue: CommandQueue,
    waitFor: readonly CommandEvent[],
    name: string,
    statistics: CopyStatistics,
  ): CommandEvent;
  /** The copy as consecutive bytes between buffers, which lists can record. */
  readonly recordable?: { readonly target: DeviceBuffer; readonly source: DeviceBuffer; readonly range: CopyRange };
  /** The copy as a kernel can do it, or why none can. */
  readonly move: () => DeviceMove | string;
  /** Whether it runs JavaScript. */
  readonly onHost: boolean;
  /** Memory that it accesses. */
  readonly accesses: () => Accesses;
}

/** Records the command that moves the bytes, or the host function that does so. */
export interface CopyStatistics {
  /** Records an event and returns it. */
  command(event: CommandEvent): CommandEvent;
  /** Returns a function that is recorded. */
  onHost(run: () => void): () => void;
}

/** Represents all host memory, since arrays may share memory in undetectable ways. */
const host = {};

/** Returns a copy's access to one of its ends. */
export function endAccess(
  end: CopyLauncherEnd,
  writes: boolean,
  range: { readonly offset?: number | undefined; readonly bytes?: number | undefined } = {},
): Accesses {
  if (end instanceof DeviceBuffer || end instanceof SvmPointer) return [accessTo(end, writes, range)];
  if (end instanceof DeviceView) return [accessTo(end.memory, writes, extentOf(end))];
  if (end instanceof HostView || ArrayBuffer.isView(end) || "byteLength" in end) {
    return [{ store: host, start: 0, end: Infinity, writes }];
  }
  // Images may share memory with buffers.
  return undefined;
}

/** Returns the range from the lowest to the highest byte of a view's elements. */
function extentOf({ shape, strides, offset, itemSize, size }: DeviceView): { offset: number; bytes: number } {
  if (size === 0) return { offset, bytes: 0 };
  const reaches = shape.map((extent, axis) => (extent - 1) * (strides[axis] as number));
  const sum = (low: boolean): number =>
    reaches.reduce((total, reach) => (reach < 0 === low ? total + reach : total), 0);
  return { offset: offset + sum(true), bytes: sum(false) - sum(true) + itemSize };
}
