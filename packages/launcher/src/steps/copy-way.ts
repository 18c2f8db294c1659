/** How a copy is made. */
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

/** One way to make a copy, chosen and checked when the launcher is made. */
export interface CopyWay {
  /** Puts it on a queue. `name` is what a host function is called; what moves the bytes is counted. */
  enqueue(queue: CommandQueue, waitFor: readonly CommandEvent[], name: string, counted: CopyCount): CommandEvent;
  /** If it is a run of bytes between two buffers, which lists can record. */
  readonly line?: { readonly target: DeviceBuffer; readonly source: DeviceBuffer; readonly range: CopyRange };
  /** True if JavaScript has a part in it. */
  readonly onHost: boolean;
  /** The memory that it reaches. */
  readonly accesses: () => Accesses;
}

/** Counts the command that moves the bytes of a copy, or the function that does so on the host. */
export interface CopyCount {
  /** Returns the event. */
  command(event: CommandEvent): CommandEvent;
  /** Returns a function that does the same. */
  onHost(run: () => void): () => void;
}

/** Host memory counts as one: arrays may share theirs in ways that nobody can see. */
const host = {};

/** What a copy reaches of one of its ends. */
export function endAccess(
  end: CopyLauncherEnd,
  writes: boolean,
  range: { readonly offset?: number | undefined; readonly bytes?: number | undefined } = {},
): Accesses {
  if (end instanceof DeviceBuffer || end instanceof SvmPointer) return [accessTo(end, writes, range)];
  if (end instanceof DeviceView) return [accessTo(end.memory, writes, placeOf(end))];
  if (end instanceof HostView || ArrayBuffer.isView(end) || "byteLength" in end) {
    return [{ store: host, start: 0, end: Infinity, writes }];
  }
  // Images may lie over buffers.
  return undefined;
}

/** From the lowest byte of an element to the highest. */
function placeOf({ shape, strides, offset, itemSize, size }: DeviceView): { offset: number; bytes: number } {
  if (size === 0) return { offset, bytes: 0 };
  const reaches = shape.map((extent, axis) => (extent - 1) * (strides[axis] as number));
  const sum = (low: boolean): number => reaches.reduce((all, one) => (one < 0 === low ? all + one : all), 0);
  return { offset: offset + sum(true), bytes: sum(false) - sum(true) + itemSize };
}
