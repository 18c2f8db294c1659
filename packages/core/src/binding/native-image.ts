/**
 * Native functions for images. Boxes are passed in the scratch block (writeRectangle in scratch.ts), the image's side
 * first. Origins and regions are in pixels, pitches in bytes. For an array of 1-D images, the row pitch is the stride
 * between images.
 */
import type { Handle } from "./handle.js";
import { beginWrite, scratchFloat64 } from "./scratch.js";

type Waits = Int32Array | undefined;

/** Native functions of native/objects/image.cc. */
export interface NativeImage {
  /** Returns channel order and type of each format, interleaved. */
  supportedImageFormats(context: Handle, flags: number, type: number): number[];
  /** Creates an image from the description in the scratch block ({@link writeImageDescription}). */
  createImage(
    context: Handle,
    flags: number,
    host: ArrayBufferView | undefined,
    buffer: Handle,
    properties: BigUint64Array | undefined,
  ): Handle;
  /** Returns the event unless the call blocks. The offset is in bytes. */
  readImage(
    queue: Handle,
    image: Handle,
    host: ArrayBufferView,
    hostOffset: number,
    blocking: boolean,
    waitFor: Waits,
  ): Handle | undefined;
  writeImage: NativeImage["readImage"];
  /** Reads into native memory. Returns [landing, event]; call takeLanding after the event has completed. */
  readImageLanding(queue: Handle, image: Handle, waitFor: Waits): [Handle, Handle];
  copyImage(queue: Handle, source: Handle, target: Handle, waitFor: Waits): Handle;
  copyImageToBuffer(queue: Handle, image: Handle, buffer: Handle, offset: number, waitFor: Waits): Handle;
  copyBufferToImage(queue: Handle, buffer: Handle, image: Handle, offset: number, waitFor: Waits): Handle;
  /** The color is 16 bytes. */
  fillImage(queue: Handle, image: Handle, color: ArrayBufferView, waitFor: Waits): Handle;
  /** Returns [map, event or 0]; {@link readMapPitches} then returns the pitches. */
  mapImage(queue: Handle, image: Handle, flags: number, blocking: boolean, waitFor: Waits): [Handle, Handle];
}

/**
 * The description of a new image. The extent is in pixels; the last extent of an image array is its number of images.
 * Pitches of 0 are chosen by the driver.
 */
export interface ImageDescription {
  readonly order: number;
  readonly type: number;
  readonly objectType: number;
  readonly extent: readonly [number, number, number];
  readonly pitches: readonly [row: number, slice: number];
}

/** Writes a description into the scratch block for the next native call. */
export function writeImageDescription({ order, type, objectType, extent, pitches }: ImageDescription): void {
  beginWrite();
  scratchFloat64.set([order, type, objectType, ...extent, ...pitches]);
}

/** Returns the pitches of the last `mapImage` call. */
export function readMapPitches(): readonly [row: number, slice: number] {
  return [scratchFloat64[0] as number, scratchFloat64[1] as number];
}
