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

/** Which pixels to read. */
export interface ImageReadOptions extends PixelBoxOptions {
  /** How rows and slices are to lie in `into`; without gaps if not said. */
  readonly pitches?: ImagePitches;
  /** What the read waits for. */
  readonly waitFor?: WaitFor;
}

/** Which pixels to read, and how to stop waiting for them. */
export interface AsyncImageReadOptions extends ImageReadOptions {
  /** Ends the wait, not the read: memory given with `into` may still be written to. */
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

/** Resolves to an image's channels, pixel after pixel, or to those of the box that the options name. */
export async function readImage(queue: QueueBase, image: Image, options?: Options): Promise<TypedArray> {
  handleOf(image);
  const given = checkOptions(options, ["origin", "region", "into", "pitches", "waitFor", "signal"]);
  const signal = checkSignal(given.signal);
  signal?.throwIfAborted();
  const { box, layout, type, into, waits } = plan(image, given, false);
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

/** Reads as {@link readImage} does, and blocks the event loop until it is done. */
export function readImageSync(queue: QueueBase, image: Image, options?: SyncOptions): TypedArray {
  handleOf(image);
  const given = checkOptions(options, ["origin", "region", "into", "pitches", "waitFor"]);
  const { box, layout, type, into, waits } = plan(image, given, true);
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

function plan(image: Image, given: SyncOptions, blocking: boolean): Plan {
  const waits = waitHandles(given.waitFor);
  // The getters of the options run first: they could transfer the memory of the array.
  const { into: target, pitches } = given;
  const box = pixelBox(image, given);
  if (target === undefined) {
    if (pitches !== undefined) {
      throw wrongValue(
        "options.pitches say how rows lie in options.into, which is not given; what is read otherwise has no gaps",
      );
    }
    return { box, layout: hostLayout(image, box.region, undefined), type: arrayTypeOf(image), into: undefined, waits };
  }
  const layout = hostLayout(image, box.region, pitches);
  const into = checkInto(image, target);
  const bytes = byteLengthOf(hostBytes(into, "options.into", blocking));
  if (bytes < layout.bytes) {
    throw outOfRange(
      `options.into has ${bytes} bytes, but the box of ${box.region.join(" × ")} pixels needs ${layout.bytes}`,
    );
  }
  return { box, layout, type: arrayTypeOf(image), into, waits };
}
