/** Filling images with a color. */
import { checkOptions } from "@cl/base";

import { MemObjectType } from "../binding/constants.js";
import { type Handle, native } from "../binding/native.js";
import { hold } from "../binding/pin.js";
import { handleOf } from "../binding/resource.js";
import { type CommandEvent, eventOf, type WaitFor, waitHandles } from "../event/event.js";
import type { DeviceBuffer } from "../memory/buffer.js";
import type { QueueBase } from "../queue/queue-base.js";
import { enqueueEmptyTransfer } from "../transfer/transfer-end.js";
import { checkColor, type Color, fillColor, pixelBytes } from "./color.js";
import type { Image } from "./image.js";
import { isEmpty, type PixelBox, pixelBox, type PixelBoxOptions, writePixelBox } from "./image-box.js";

/** Options for filling an image. */
export interface ImageFillOptions extends PixelBoxOptions {
  /** Events that the fill waits for. */
  readonly waitFor?: WaitFor;
}

/** Enqueues a fill of an image, or of a box in it, with a {@link Color}. */
export function enqueueFillImage(
  queue: QueueBase,
  image: Image,
  color: Color,
  options?: ImageFillOptions,
): CommandEvent {
  const [q, memory] = [handleOf(queue), handleOf(image)];
  const checked = checkOptions(options, ["waitFor", "origin", "region"]);
  const values = checkColor(image.format, color);
  const box = pixelBox(image, checked);
  const waits = waitHandles(checked.waitFor);
  if (isEmpty(box)) return eventOf(enqueueEmptyTransfer(queue, waits), queue);
  if (image.objectType === MemObjectType.IMAGE1D_BUFFER) {
    return eventOf(fillBuffer(q, image, values, box, waits), queue);
  }
  const bytes = fillColor(image.format, values);
  writePixelBox(box);
  return eventOf(native.fillImage(q, memory, bytes, waits), queue);
}

/** Fills a 1-D image over a buffer by filling the buffer, because PoCL 3.1 crashes when such an image is filled. */
function fillBuffer(
  queue: Handle,
  image: Image,
  color: readonly number[],
  { origin: [first], region: [count] }: PixelBox,
  waits: Int32Array | undefined,
): Handle {
  const pixel = pixelBytes(image.format, color);
  const size = pixel.length;
  const buffer = handleOf(image.buffer as DeviceBuffer);
  if ((size & (size - 1)) === 0) {
    return native.fillBuffer(queue, buffer, pixel, first * size, count * size, waits, true) as Handle;
  }
  // The size of a fill pattern must be a power of two, which three channels are not.
  const pixels = new Uint8Array(count * size);
  for (let i = 0; i < count; i++) pixels.set(pixel, i * size);
  const event = native.writeBuffer(queue, buffer, first * size, pixels, 0, pixels.length, false, waits) as Handle;
  hold(event, pixels);
  return event;
}
