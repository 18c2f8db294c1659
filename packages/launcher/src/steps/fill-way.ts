/** How a fill is made. */
import { typeError } from "@cl/base";
import {
  type Color,
  type CommandEvent,
  type CommandQueue,
  DeviceBuffer,
  DeviceView,
  type DTypeValue,
  type FillPattern,
  HostView,
  Image,
  type PixelBoxOptions,
  rectangleOf,
  SvmPointer,
} from "@cl/core";
import { checkFill, checkImageFill } from "@cl/core/internal";

import { type Accesses, accessTo } from "../list/access.js";
import { endAccess } from "./copy-way.js";

/** One way to make a fill, chosen and checked when the launcher is made. */
export interface FillWay {
  enqueue(queue: CommandQueue, waitFor: readonly CommandEvent[]): CommandEvent;
  /** If it is a run of bytes of a buffer, which lists can record. */
  readonly line?: { readonly target: DeviceBuffer; readonly pattern: FillPattern; readonly range: Line };
  readonly accesses: () => Accesses;
  /** Gives back what it made. */
  readonly release?: () => void;
}

interface Line {
  readonly offset?: number;
  readonly bytes?: number;
}

/** The fill, checked; `range` has what else was said. */
export function fillWay(
  target: DeviceBuffer | SvmPointer | Image | DeviceView,
  pattern: unknown,
  range: Readonly<Record<string, unknown>>,
): FillWay {
  if (target instanceof Image) {
    checkNames(range, ["origin", "region"], "an image");
    return imageFill(target, pattern as Color, range);
  }
  if (target instanceof DeviceView) {
    checkNames(range, [], "a view: fill a slice of it");
    return viewFill(target, pattern as DTypeValue);
  }
  if (target instanceof DeviceBuffer) {
    checkNames(range, ["offset", "bytes"], "a buffer");
    return bufferFill(target, taken(pattern as FillPattern), range);
  }
  if (target instanceof SvmPointer) {
    checkNames(range, ["offset", "bytes"], "shared virtual memory");
    const bytes = taken(pattern as FillPattern);
    checkFill(target, bytes, range);
    return {
      enqueue: (queue, waitFor) => queue.enqueueSvmFill(target, bytes, { ...range, waitFor }),
      accesses: () => [accessTo(target, true, range)],
    };
  }
  throw typeError("options.target", "a DeviceBuffer, shared virtual memory, an Image or a DeviceView", target);
}

/** What would be ignored is a mistake. */
function checkNames(range: Readonly<Record<string, unknown>>, known: readonly string[], what: string): void {
  const unknown = Object.keys(range).find((key) => range[key] !== undefined && !known.includes(key));
  if (unknown === undefined) return;
  const all = ["target", "pattern", "queue", ...known].join(", ");
  throw typeError("options", `made of ${all} for ${what}`, { [unknown]: "…" });
}

function bufferFill(target: DeviceBuffer, pattern: FillPattern, range: Line): FillWay {
  checkFill(target, pattern, range);
  return {
    line: { target, pattern, range },
    enqueue: (queue, waitFor) => queue.enqueueFill(target, pattern, { ...range, waitFor }),
    accesses: () => [accessTo(target, true, range)],
  };
}

function imageFill(target: Image, color: Color, box: PixelBoxOptions): FillWay {
  const own = ArrayBuffer.isView(color) || Array.isArray(color) ? [...(color as readonly number[])] : color;
  checkImageFill(target, own, box);
  return {
    enqueue: (queue, waitFor) => queue.enqueueFill(target, own, { ...box, waitFor }),
    accesses: () => endAccess(target, true),
  };
}

/** Side by side, elements are a pattern that OpenCL repeats; elsewhere they are copies of one. */
function viewFill(target: DeviceView, value: DTypeValue): FillWay {
  const { dtype, context, nbytes, itemSize, offset } = target;
  const one = HostView.zeros([], dtype);
  one.set(value);
  // Throws for views that may only be read.
  rectangleOf(target, HostView.zeros([], dtype).broadcastTo(target.shape));
  const accesses = (): Accesses => endAccess(target, true);
  const dense = target.isContiguous || target.transpose().isContiguous;
  if (dense && nbytes > 0 && itemSize <= 128 && Number.isInteger(Math.log2(itemSize))) {
    return { ...bufferFill(target.memory, one.memory, { offset, bytes: nbytes }), accesses };
  }
  const source = DeviceView.fromHost(context, one);
  const all = source.broadcastTo(target.shape);
  return {
    enqueue: (queue, waitFor) => target.enqueueCopyFrom(queue, all, { waitFor }),
    accesses,
    release: () => source.release(),
  };
}

/** A copy of its own, since the array may be changed after. */
function taken(pattern: FillPattern): FillPattern {
  if (ArrayBuffer.isView(pattern)) {
    return new Uint8Array(pattern.buffer, pattern.byteOffset, pattern.byteLength).slice();
  }
  return pattern instanceof ArrayBuffer || pattern instanceof SharedArrayBuffer
    ? new Uint8Array(pattern).slice()
    : pattern;
}
