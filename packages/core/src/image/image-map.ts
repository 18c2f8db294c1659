/** Mapping images into host memory. */
import { checkOptions, checkSignal, outOfRange } from "@cl/base";

import { type Handle, native } from "../binding/native.js";
import { readMapPitches } from "../binding/native-image.js";
import { handleOf } from "../binding/resource.js";
import { type WaitFor, waitHandles } from "../event/event.js";
import type { QueueBase } from "../queue/queue-base.js";
import { mapAccessFlags, mapCompletion, type MapAccess } from "../mapping/map.js";
import type { ChannelTypeName } from "./channel-layout.js";
import type { Image } from "./image.js";
import { isEmpty, type PixelBox, pixelBox, type PixelBoxOptions, writePixelBox } from "./image-box.js";
import { MappedImage } from "./mapped-image.js";

/** Options for mapping an image. */
export interface ImageMapOptions extends PixelBoxOptions {
  /**
   * How the host accesses the memory. With `"write-invalidate"` its initial contents are undefined.
   *
   * @defaultValue `"read-write"`
   */
  readonly access?: MapAccess;
  /** Events that the map waits for. */
  readonly waitFor?: WaitFor;
}

/** Options for mapping an image asynchronously. */
export interface AsyncImageMapOptions extends ImageMapOptions {
  /** Aborts the wait; the memory is unmapped once it has been mapped. */
  readonly signal?: AbortSignal;
}

const routine = "clEnqueueMapImage";

/** Maps an image, or a box in it. */
export async function mapImage<N extends ChannelTypeName>(
  queue: QueueBase,
  image: Image<N>,
  options?: AsyncImageMapOptions,
): Promise<MappedImage<N>> {
  handleOf(image);
  const checked = checkOptions(options, ["origin", "region", "access", "waitFor", "signal"]);
  const { box, flags, waits } = plan(image, checked);
  const signal = checkSignal(checked.signal);
  signal?.throwIfAborted();
  const { mapping, event, pitches } = start(queue, image, box, flags, false, waits);
  await mapCompletion(queue, mapping, event, signal, routine);
  return wrap(mapping, queue, image, box, pitches);
}

/** Blocking version of {@link mapImage}. */
export function mapImageSync<N extends ChannelTypeName>(
  queue: QueueBase,
  image: Image<N>,
  options?: ImageMapOptions,
): MappedImage<N> {
  handleOf(image);
  const { box, flags, waits } = plan(image, checkOptions(options, ["origin", "region", "access", "waitFor"]));
  const { mapping, pitches } = start(queue, image, box, flags, true, waits);
  return wrap(mapping, queue, image, box, pitches);
}

function plan(image: Image, options: ImageMapOptions): { box: PixelBox; flags: number; waits: Int32Array | undefined } {
  const flags = mapAccessFlags(options.access);
  const box = pixelBox(image, options);
  if (isEmpty(box)) throw outOfRange("options.region must have at least one pixel; an empty region cannot be mapped");
  return { box, flags, waits: waitHandles(options.waitFor) };
}

function start(
  queue: QueueBase,
  image: Image,
  box: PixelBox,
  flags: number,
  blocking: boolean,
  waits: Int32Array | undefined,
): { mapping: Handle; event: Handle; pitches: readonly [number, number] } {
  const [q, memory] = [handleOf(queue), handleOf(image)];
  writePixelBox(box);
  const [mapping, event] = native.mapImage(q, memory, flags, blocking, waits);
  return { mapping, event, pitches: readMapPitches() };
}

function wrap<N extends ChannelTypeName>(
  mapping: Handle,
  queue: QueueBase,
  image: Image<N>,
  box: PixelBox,
  pitches: readonly [number, number],
): MappedImage<N> {
  try {
    return new MappedImage(mapping, queue, image, box, pitches);
  } catch (error) {
    native.recycle(mapping);
    throw error;
  }
}
