/** Writing host memory into images. */
import { arrayBufferOf, byteLengthOf, checkOptions, checkSignal, outOfRange } from "@cl/base";

import { native } from "../binding/native.js";
import { holdUntil } from "../binding/pin.js";
import { handleOf } from "../binding/resource.js";
import { type WaitFor, waitHandles } from "../event/event.js";
import { hostBytes, type HostMemory } from "../dtype/host-array.js";
import type { QueueBase } from "../queue/queue-base.js";
import { enqueueEmptyTransfer, waitForTransfer, waitForTransferSync } from "../transfer/transfer-end.js";
import type { TypedArray } from "../typed/index.js";
import type { Image } from "./image.js";
import {
  hostLayout,
  type HostLayout,
  isEmpty,
  type PixelBox,
  pixelBox,
  type PixelBoxOptions,
  writePixelBox,
} from "./image-box.js";
import type { ImagePitches } from "./image-options.js";
import { checkPixels } from "./pixel-array.js";

/** Options for writing an image. */
export interface ImageWriteOptions extends PixelBoxOptions {
  /** The pitches of rows and slices in the array. Without gaps by default. */
  readonly pitches?: ImagePitches;
  /** Events that the write waits for. */
  readonly waitFor?: WaitFor;
}

/** Options for writing an image asynchronously. */
export interface AsyncImageWriteOptions extends ImageWriteOptions {
  /** Aborts the wait, but not the write. */
  readonly signal?: AbortSignal;
}

interface Plan {
  readonly host: TypedArray;
  readonly box: PixelBox;
  readonly layout: HostLayout;
  readonly waits: Int32Array | undefined;
}

const routine = "clEnqueueWriteImage";

/** Writes an array into an image, or into a box in it. */
export async function writeImage(
  queue: QueueBase,
  image: Image,
  array: HostMemory,
  options?: AsyncImageWriteOptions,
): Promise<void> {
  handleOf(image);
  const checked = checkOptions(options, ["origin", "region", "pitches", "waitFor", "signal"]);
  const signal = checkSignal(checked.signal);
  signal?.throwIfAborted();
  const { host, box, layout, waits } = plan(image, array, checked, false);
  const [q, memory] = [handleOf(queue), handleOf(image)];
  if (isEmpty(box)) return waitForTransfer(queue, enqueueEmptyTransfer(queue, waits), routine, signal);
  writePixelBox(box, layout);
  const event = native.writeImage(q, memory, host, 0, false, waits) as number;
  holdUntil(event, arrayBufferOf(host));
  return waitForTransfer(queue, event, routine, signal);
}

/** Blocking version of {@link writeImage}. */
export function writeImageSync(queue: QueueBase, image: Image, array: HostMemory, options?: ImageWriteOptions): void {
  handleOf(image);
  const checked = checkOptions(options, ["origin", "region", "pitches", "waitFor"]);
  const { host, box, layout, waits } = plan(image, array, checked, true);
  const [q, memory] = [handleOf(queue), handleOf(image)];
  if (isEmpty(box)) {
    waitForTransferSync(enqueueEmptyTransfer(queue, waits));
    return;
  }
  writePixelBox(box, layout);
  native.writeImage(q, memory, host, 0, true, waits);
}

function plan(image: Image, array: HostMemory, options: ImageWriteOptions, blocking: boolean): Plan {
  // Options are read first, because their getters could transfer the memory of the array.
  const { pitches, waitFor } = options;
  const waits = waitHandles(waitFor);
  const box = pixelBox(image, options);
  const layout = hostLayout(image, box.region, pitches);
  const host = hostBytes(array, "array", blocking);
  checkPixels(image, host, "array");
  const size = byteLengthOf(host);
  // Without pitches, the array must have exactly the size of the box.
  if (size < layout.bytes || (pitches === undefined && size !== layout.bytes)) {
    throw outOfRange(
      `array has ${size} bytes, but the box of ${box.region.join(" × ")} pixels ${pitches === undefined ? "has" : "requires"} ${layout.bytes}`,
    );
  }
  return { host, box, layout, waits };
}
