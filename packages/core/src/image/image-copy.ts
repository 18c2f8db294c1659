/** Copies from and to images. */
import { arrayBufferOf, byteLengthOf, checkInteger, checkOptions, outOfRange, typeError, wrongValue } from "@cl/base";

import { type Handle, native } from "../binding/native.js";
import { holdUntil } from "../binding/pin.js";
import { MemObjectType } from "../binding/constants.js";
import { NotSupportedError, OpenCLError } from "../binding/errors.js";
import { handleOf } from "../binding/resource.js";
import { type CommandEvent, eventOf, waitHandles } from "../event/event.js";
import { DeviceBuffer, placeOf } from "../memory/buffer.js";
import { hostBytes, isHostMemory } from "../dtype/host-array.js";
import type { QueueBase } from "../queue/queue-base.js";
import { copyNames, type CopyOptions } from "../transfer/copy-options.js";
import { type CopyEnd, orderHint } from "../transfer/copy-side.js";
import { enqueueEmptyTransfer, waitForTransferSync } from "../transfer/transfer-end.js";
import type { TypedArray } from "../typed/index.js";
import { extentOf, Image } from "./image.js";
import {
  type HostLayout,
  hostLayout,
  isEmpty,
  type PixelBox,
  pixelBox,
  type PixelBoxOptions,
  type PixelTriple,
  writePixelBox,
} from "./image-box.js";
import { checkPixels } from "./pixel-array.js";

type End = CopyEnd | Image;

/** The queue and wait list of a copy. */
interface Command {
  readonly queue: QueueBase;
  readonly blocking: boolean;
  readonly waits: Int32Array | undefined;
}

/**
 * Enqueues a copy between two images, an image and a buffer, or an image and host memory. The region and the origin of
 * an image are in pixels. In a buffer the pixels are contiguous from the offset on; in host memory they may have
 * pitches.
 */
export function enqueueCopyImage(queue: QueueBase, target: End, source: End, options?: CopyOptions): CommandEvent {
  return eventOf(copy(queue, target, source, options, false) as Handle, queue);
}

/** Blocking version of {@link enqueueCopyImage}. */
export function copyImageSync(queue: QueueBase, target: End, source: End, options?: CopyOptions): void {
  const event = copy(queue, target, source, options, true);
  if (event !== undefined) waitForTransferSync(event);
}

/** Throws if {@link enqueueCopyImage} would throw for a reason that does not depend on the queue. */
export function checkCopyImage(target: End, source: End, options?: CopyOptions): void {
  planCopy(target, source, checkOptions(options, copyNames), false);
}

function copy(
  queue: QueueBase,
  target: End,
  source: End,
  options: CopyOptions | undefined,
  blocking: boolean,
): Handle | undefined {
  const checked = checkOptions(options, copyNames);
  const command: Command = { queue, blocking, waits: waitHandles(checked.waitFor) };
  if (blocking) native.refuseToAwait(handleOf(queue), command.waits);
  const q = handleOf(queue);
  const plan = planCopy(target, source, checked, blocking);
  if (isEmpty(plan.box)) return enqueueEmptyTransfer(queue, command.waits);
  if (plan.kind === "images") {
    writePixelBox(plan.from, undefined, plan.box.origin);
    return native.copyImage(q, handleOf(plan.source), handleOf(plan.target), command.waits);
  }
  return plan.kind === "buffer" ? withBuffer(command, q, plan) : withHost(command, q, plan);
}

interface BetweenImages {
  readonly kind: "images";
  readonly target: Image;
  readonly source: Image;
  /** The box in the target. */
  readonly box: PixelBox;
  /** The box in the source. */
  readonly from: PixelBox;
}

/** A copy between an image and a buffer, which is on the given side. */
interface WithBuffer {
  readonly kind: "buffer";
  readonly image: Image;
  readonly buffer: DeviceBuffer;
  readonly side: "target" | "source";
  readonly box: PixelBox;
  readonly offset: number;
}

interface WithHost {
  readonly kind: "host";
  readonly image: Image;
  readonly host: TypedArray;
  readonly side: "target" | "source";
  readonly box: PixelBox;
  readonly offset: number;
  readonly layout: HostLayout;
}

/** Checks the arguments of a copy. */
function planCopy(
  target: End,
  source: End,
  options: CopyOptions,
  blocking: boolean,
): BetweenImages | WithBuffer | WithHost {
  if (target instanceof Image && source instanceof Image) return planImages(target, source, options);
  const [image, other, side] =
    target instanceof Image
      ? ([target, source as CopyEnd, "source"] as const)
      : ([source as Image, target, "target"] as const);
  const imageSide = side === "source" ? "target" : "source";
  if (other instanceof DeviceBuffer) {
    checkNames(
      options,
      [`${imageSide}Origin`, `${side}Offset`],
      `an image as the ${imageSide} and a buffer as the ${side}`,
    );
    return planBuffer(image, other, side, options);
  }
  if (!isHostMemory(other)) throw typeError(side, `an Image, a DeviceBuffer or host memory (${orderHint})`, other);
  checkNames(
    options,
    [`${imageSide}Origin`, `${side}Offset`, `${side}Pitches`],
    `an image as the ${imageSide} and host memory as the ${side}`,
  );
  return planHost(image, hostBytes(other, side, blocking), side, options);
}

function planImages(target: Image, source: Image, options: CopyOptions): BetweenImages {
  checkNames(options, ["sourceOrigin", "targetOrigin"], "two images");
  if (!target.format.equals(source.format)) {
    throw wrongValue(
      `target and source must have the same format, received ${target.format.toString()} and ${source.format.toString()}`,
    );
  }
  const to = boxOf(target, options, "target");
  const from = boxOf(source, options, "source");
  const axis = to.region.findIndex((length, i) => length !== from.region[i]);
  if (axis >= 0) {
    throw outOfRange(
      `the source has ${from.region.join(" × ")} pixels from its origin on, but the target has ${to.region.join(" × ")}: set options.region (${orderHint})`,
    );
  }
  if (target.equals(source) && overlap(to, from)) {
    throw outOfRange("target and source are overlapping boxes of the same image; copy through another image");
  }
  for (const image of [source, target]) handleOf(image);
  return { kind: "images", target, source, box: to, from };
}

function planBuffer(image: Image, buffer: DeviceBuffer, side: "target" | "source", options: CopyOptions): WithBuffer {
  for (const memory of [image, buffer]) handleOf(memory);
  const box = boxOf(image, options, side === "source" ? "target" : "source");
  const offset = checkInteger(options[`${side}Offset`] ?? 0, `options.${side}Offset`, 0, buffer.size);
  const needed = hostLayout(image, box.region, undefined).bytes;
  if (offset + needed > buffer.size) throw tooShort(`${side} buffer`, buffer.size - offset, box.region, needed);
  if (image.buffer !== undefined && placeOf(image.buffer).store === placeOf(buffer).store) {
    checkApart(image, box, buffer, offset, needed);
  }
  return { kind: "buffer", image, buffer, side, box, offset };
}

function withBuffer({ waits }: Command, q: Handle, { image, buffer, side, box, offset }: WithBuffer): Handle {
  const [pixels, bytes] = [handleOf(image), handleOf(buffer)];
  writePixelBox(box);
  try {
    return side === "target"
      ? native.copyImageToBuffer(q, pixels, bytes, offset, waits)
      : native.copyBufferToImage(q, bytes, pixels, offset, waits);
  } catch (error) {
    // NVIDIA's driver supports only the first image of a 1-D image array, and no workaround keeps the queue's order.
    const isInvalidValue = error instanceof OpenCLError && error.code === "CL_INVALID_VALUE";
    if (!isInvalidValue || image.objectType !== MemObjectType.IMAGE1D_ARRAY) throw error;
    throw new NotSupportedError(
      error.routine,
      "this driver copies only the first image of a 1-D image array from and to buffers: copy through host memory instead",
    );
  }
}

function planHost(image: Image, host: TypedArray, side: "target" | "source", options: CopyOptions): WithHost {
  handleOf(image);
  checkPixels(image, host, side);
  const size = byteLengthOf(host);
  const box = boxOf(image, options, side === "source" ? "target" : "source");
  const offset = checkInteger(options[`${side}Offset`] ?? 0, `options.${side}Offset`, 0, size);
  const layout = hostLayout(image, box.region, options[`${side}Pitches`], `options.${side}Pitches`);
  if (offset + layout.bytes > size) {
    throw tooShort(side, size - offset, box.region, layout.bytes);
  }
  return { kind: "host", image, host, side, box, offset, layout };
}

function withHost({ blocking, waits }: Command, q: Handle, plan: WithHost): Handle | undefined {
  const { image, host, side, box, offset, layout } = plan;
  const pixels = handleOf(image);
  writePixelBox(box, layout);
  const event =
    side === "target"
      ? native.readImage(q, pixels, host, offset, blocking, waits)
      : native.writeImage(q, pixels, host, offset, blocking, waits);
  if (event !== undefined) holdUntil(event, arrayBufferOf(host));
  return event;
}

function boxOf(image: Image, options: CopyOptions, side: "target" | "source"): PixelBox {
  const box: { -readonly [K in keyof PixelBoxOptions]: PixelBoxOptions[K] } = {};
  const origin = options[`${side}Origin`];
  if (origin !== undefined) box.origin = origin;
  if (options.region !== undefined) box.region = options.region;
  return pixelBox(image, box, { origin: `options.${side}Origin`, region: "options.region" });
}

function tooShort(what: string, bytes: number, region: PixelTriple, needed: number): RangeError {
  return outOfRange(
    `the ${what} has ${bytes} bytes from its offset on, but the box of ${region.join(" × ")} pixels requires ${needed} (${orderHint})`,
  );
}

/** Throws if an option does not apply to the kinds of memory. */
function checkNames(options: CopyOptions, applicable: readonly (keyof CopyOptions)[], what: string): void {
  const known = new Set<string>(["waitFor", "region", ...applicable]);
  const unknown = Object.keys(options).find(
    (name) => !known.has(name) && options[name as keyof CopyOptions] !== undefined,
  );
  if (unknown === undefined) return;
  throw typeError("options", `an object with only ${[...known].join(", ")} for ${what}`, { [unknown]: "…" });
}

function overlap(a: PixelBox, b: PixelBox): boolean {
  return a.origin.every((start, i) => {
    const other = b.origin[i as 0];
    return start < other + b.region[i as 0] && other < start + a.region[i as 0];
  });
}

/** Throws if an image over a buffer overlaps the range of that buffer. */
function checkApart(image: Image, box: PixelBox, buffer: DeviceBuffer, offset: number, bytes: number): void {
  const row = extentOf(image)[1] === 1 ? 0 : image.rowPitch;
  const first = placeOf(image.buffer as DeviceBuffer).start + box.origin[0] * image.elementSize + box.origin[1] * row;
  const end = first + box.region[0] * image.elementSize + (box.region[1] - 1) * row;
  const start = placeOf(buffer).start + offset;
  if (bytes > 0 && start < end && first < start + bytes) {
    throw outOfRange(
      "target and source overlap because the image uses that part of the buffer; copy through another buffer",
    );
  }
}
