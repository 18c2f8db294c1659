/** Implementations of fills. */
import { stridedCopy, typeError } from "@cl/base";
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
import { endAccess } from "./copy-plan.js";
import { type DeviceMove, deviceMove, runOfBytes } from "./device-move.js";

/** A checked fill, ready to be enqueued. */
export interface FillPlan {
  enqueue(queue: CommandQueue, waitFor: readonly CommandEvent[]): CommandEvent;
  /** The fill as consecutive bytes of a buffer, which lists can record. */
  readonly recordable?: { readonly target: DeviceBuffer; readonly pattern: FillPattern; readonly range: ByteRange };
  /** The fill as a kernel can do it, or why none can. */
  readonly move: () => DeviceMove | string;
  readonly accesses: () => Accesses;
  /** Releases its resources. */
  readonly release?: () => void;
}

interface ByteRange {
  readonly offset?: number;
  readonly bytes?: number;
}

/** Checks a fill. `range` has the remaining options. */
export function planFill(
  target: DeviceBuffer | SvmPointer | Image | DeviceView,
  pattern: unknown,
  range: Readonly<Record<string, unknown>>,
): FillPlan {
  if (target instanceof Image) {
    checkNames(range, ["origin", "region"], "an image");
    return imageFill(target, pattern as Color, range);
  }
  if (target instanceof DeviceView) {
    checkNames(range, [], "a view; fill a slice instead");
    return viewFill(target, pattern as DTypeValue);
  }
  if (target instanceof DeviceBuffer) {
    checkNames(range, ["offset", "bytes"], "a buffer");
    return bufferFill(target, copyPattern(pattern as FillPattern), range);
  }
  if (target instanceof SvmPointer) {
    checkNames(range, ["offset", "bytes"], "shared virtual memory");
    const bytes = copyPattern(pattern as FillPattern);
    checkFill(target, bytes, range);
    return {
      enqueue: (queue, waitFor) => queue.enqueueSvmFill(target, bytes, { ...range, waitFor }),
      move: () => fillOf(target, bytes, range),
      accesses: () => [accessTo(target, true, range)],
    };
  }
  throw typeError("options.target", "a DeviceBuffer, shared virtual memory, an Image or a DeviceView", target);
}

/** Throws for options that the target does not support. */
function checkNames(range: Readonly<Record<string, unknown>>, names: readonly string[], what: string): void {
  const unknown = Object.keys(range).find((key) => range[key] !== undefined && !names.includes(key));
  if (unknown === undefined) return;
  const supported = ["target", "pattern", "queue", ...names].join(", ");
  throw typeError("options", `an object with ${supported} for ${what}`, { [unknown]: "…" });
}

function bufferFill(target: DeviceBuffer, pattern: FillPattern, range: ByteRange): FillPlan {
  checkFill(target, pattern, range);
  return {
    recordable: { target, pattern, range },
    enqueue: (queue, waitFor) => queue.enqueueFill(target, pattern, { ...range, waitFor }),
    move: () => fillOf(target, pattern, range),
    accesses: () => [accessTo(target, true, range)],
  };
}

function imageFill(target: Image, color: Color, box: PixelBoxOptions): FillPlan {
  const colorCopy = ArrayBuffer.isView(color) || Array.isArray(color) ? [...(color as readonly number[])] : color;
  checkImageFill(target, colorCopy, box);
  return {
    enqueue: (queue, waitFor) => queue.enqueueFill(target, colorCopy, { ...box, waitFor }),
    move: () => "it uses an image",
    accesses: () => endAccess(target, true),
  };
}

/** Fills the elements of a view: with a repeated pattern if contiguous, otherwise by copying one element. */
function viewFill(target: DeviceView, value: DTypeValue): FillPlan {
  const { dtype, context, nbytes, itemSize, offset } = target;
  const element = HostView.zeros([], dtype);
  element.set(value);
  // Throws for read-only views.
  rectangleOf(target, HostView.zeros([], dtype).broadcastTo(target.shape));
  const accesses = (): Accesses => endAccess(target, true);
  const dense = target.isContiguous || target.transpose().isContiguous;
  if (dense && nbytes > 0 && itemSize <= 128 && Number.isInteger(Math.log2(itemSize))) {
    return { ...bufferFill(target.memory, element.memory, { offset, bytes: nbytes }), accesses };
  }
  const source = DeviceView.fromHost(context, element);
  const broadcast = source.broadcastTo(target.shape);
  return {
    enqueue: (queue, waitFor) => target.enqueueCopyFrom(queue, broadcast, { waitFor }),
    move: () => {
      const copy = target.size === 0 ? runOfBytes({ bytes: 0 }) : stridedCopy(target, target, itemSize);
      return deviceMove(target.memory, bytesOf(element.memory), copy);
    },
    accesses,
    release: () => source.release(),
  };
}

function fillOf(target: DeviceBuffer | SvmPointer, pattern: FillPattern, range: ByteRange): DeviceMove | string {
  const { offset = 0, bytes = target.size - offset } = range;
  const copy = runOfBytes({ bytes, targetOffset: offset });
  if (typeof pattern !== "number" && typeof pattern !== "bigint") return deviceMove(target, bytesOf(pattern), copy);
  const type = target.type as unknown as { of(value: number | bigint): ArrayBufferView };
  return deviceMove(target, bytesOf(type.of(pattern)), copy);
}

function bytesOf(pattern: ArrayBufferView | ArrayBufferLike): Uint8Array {
  if (!ArrayBuffer.isView(pattern)) return new Uint8Array(pattern);
  return new Uint8Array(pattern.buffer, pattern.byteOffset, pattern.byteLength);
}

/** Copies an array pattern, since the array may change later. */
function copyPattern(pattern: FillPattern): FillPattern {
  const isHost = ArrayBuffer.isView(pattern) || pattern instanceof ArrayBuffer || pattern instanceof SharedArrayBuffer;
  return isHost ? bytesOf(pattern).slice() : pattern;
}
