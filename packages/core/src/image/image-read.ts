/** Reading images into typed arrays. */
import { arrayBufferOf, byteLengthOf, checkOptions, checkSignal, outOfRange, wrongValue } from "@cl/base";

import { native } from "../binding/native.js";
import { holdUntil } from "../binding/pin.js";
import { handleOf } from "../binding/resource.js";
import { type WaitFor, waitHandles } from "../event/event.js";
import { arrayOver, type ElementType, hostBytes, uninitializedArray } from "../dtype/host-array.js";
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
import { arrayTypeOf, checkInto } from "./pixel-array.js";

/** Options for reading an image. */
export interface ImageReadOptions extends PixelBoxOptions {
  /** The pitches of rows and slices in `into`. Without gaps by default. */
  readonly pitches?: ImagePitches;
  /** Events that the read waits for. */
  readonly waitFor?: WaitFor;
}

/** Options for reading an image asynchronously. */
export interface AsyncImageReadOptions extends ImageReadOptions {
  /** Aborts the wait, but not the read: the memory of `into` may still be written to. */
  readonly signal?: AbortSignal;
}

type SyncOptions = ImageReadOptions & { readonly into?: TypedArray };
type Options = AsyncImageReadOptions & SyncOptions;

interface Plan {
  readonly box: PixelBox;
  readonly layout: HostLayout;
  readonly type: ElementType;
  readonly into: TypedArray | undefined;
  readonly waits: Int32Array | undefined;
}

const routine = "clEnqueueReadImage";

/** Reads the channels of an image, or of a box in it, pixel by pixel. */
export async function readImage(queue: QueueBase, image: Image, options?: Options): Promise<TypedArray> {
  handleOf(image);
  const checked = checkOptions(options, ["origin", "region", "into", "pitches", "waitFor", "signal"]);
  const signal = checkSignal(checked.signal);
  signal?.throwIfAborted();
  const { box, layout, type, into, waits } = plan(image, checked, false);
  const [q, memory] = [handleOf(queue), handleOf(image)];
  if (isEmpty(box)) {
    await waitForTransfer(queue, enqueueEmptyTransfer(queue, waits), routine, signal);
    return into ?? uninitializedArray(type, 0);
  }
  writePixelBox(box, layout);
  if (into !== undefined) {
    const event = native.readImage(q, memory, into, 0, false, waits) as number;
    holdUntil(event, arrayBufferOf(into));
    await waitForTransfer(queue, event, routine, signal);
    return into;
  }
  const [landing, event] = native.readImageLanding(q, memory, waits);
  try {
    await waitForTransfer(queue, event, routine, signal);
    return arrayOver(type, native.takeLanding(landing, layout.bytes), layout.bytes / type.BYTES_PER_ELEMENT);
  } finally {
    native.recycle(landing);
  }
}

/** Blocking version of {@link readImage}. */
export function readImageSync(queue: QueueBase, image: Image, options?: SyncOptions): TypedArray {
  handleOf(image);
  const checked = checkOptions(options, ["origin", "region", "into", "pitches", "waitFor"]);
  const { box, layout, type, into, waits } = plan(image, checked, true);
  const [q, memory] = [handleOf(queue), handleOf(image)];
  const target = into ?? uninitializedArray(type, layout.bytes / type.BYTES_PER_ELEMENT);
  if (isEmpty(box)) {
    waitForTransferSync(enqueueEmptyTransfer(queue, waits));
  } else {
    writePixelBox(box, layout);
    native.readImage(q, memory, target, 0, true, waits);
  }
  return target;
}

function plan(image: Image, options: SyncOptions, blocking: boolean): Plan {
  const waits = waitHandles(options.waitFor);
  // Options are read first, because their getters could transfer the memory of the array.
  const { into: target, pitches } = options;
  const box = pixelBox(image, options);
  if (target === undefined) {
    if (pitches !== undefined) {
      throw wrongValue("options.pitches requires options.into; a new array has no gaps");
    }
    return { box, layout: hostLayout(image, box.region, undefined), type: arrayTypeOf(image), into: undefined, waits };
  }
  const layout = hostLayout(image, box.region, pitches);
  const into = checkInto(image, target);
  const bytes = byteLengthOf(hostBytes(into, "options.into", blocking));
  if (bytes < layout.bytes) {
    throw outOfRange(
      `options.into has ${bytes} bytes, but the box of ${box.region.join(" × ")} pixels requires ${layout.bytes}`,
    );
  }
  return { box, layout, type: arrayTypeOf(image), into, waits };
}
