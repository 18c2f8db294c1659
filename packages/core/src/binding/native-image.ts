/**
 * The native calls of images. Boxes lie in the scratch block (writeRectangle in scratch.ts): the image's side first, in
 * pixels; pitches in bytes, for an array of 1-D images the distance of its images as the pitch of rows.
 */
import type { Handle } from "./handle.js";
import { beginWrite, scratchFloat64 } from "./scratch.js";

type Waits = Int32Array | undefined;

/** What native/objects/image.cc exports. */
export interface NativeImage {
  /** Channel order and type of each format, in turn. */
  supportedImageFormats(context: Handle, flags: number, type: number): number[];
  /** What it is made from lies in the scratch block ({@link writeImageDescription}). */
  createImage(
    context: Handle,
    flags: number,
    host: ArrayBufferView | undefined,
    buffer: Handle,
    properties: BigUint64Array | undefined,
  ): Handle;
  /** Blocking calls return nothing, others the event. The offset in bytes. */
  readImage(
    queue: Handle,
    image: Handle,
    host: ArrayBufferView,
    hostOffset: number,
    blocking: boolean,
    waitFor: Waits,
  ): Handle | undefined;
  writeImage(
    queue: Handle,
    image: Handle,
    host: ArrayBufferView,
    hostOffset: number,
    blocking: boolean,
    waitFor: Waits,
  ): Handle | undefined;
  /** [landing, event]: a read into memory that JavaScript gets by takeLanding, after the event has completed. */
  readImageLanding(queue: Handle, image: Handle, waitFor: Waits): [Handle, Handle];
  copyImage(queue: Handle, source: Handle, target: Handle, waitFor: Waits): Handle;
  copyImageToBuffer(queue: Handle, image: Handle, buffer: Handle, offset: number, waitFor: Waits): Handle;
  copyBufferToImage(queue: Handle, buffer: Handle, image: Handle, offset: number, waitFor: Waits): Handle;
  /** The color has 16 bytes. */
  fillImage(queue: Handle, image: Handle, color: ArrayBufferView, waitFor: Waits): Handle;
  /** [map, event or 0]; {@link readMapPitches} then has the pitches. */
  mapImage(queue: Handle, image: Handle, flags: number, blocking: boolean, waitFor: Waits): [Handle, Handle];
}

/** What a new image is made from; sizes in pixels, of an array the last one in images. Pitches of 0 are left to the driver. */
export interface ImageDescription {
  readonly order: number;
  readonly type: number;
  readonly objectType: number;
  readonly extent: readonly [number, number, number];
  readonly pitches: readonly [row: number, slice: number];
}

/** Puts a description where the native call that follows reads it. */
export function writeImageDescription({ order, type, objectType, extent, pitches }: ImageDescription): void {
  beginWrite();
  scratchFloat64.set([order, type, objectType, ...extent, ...pitches]);
}

/** The pitches of the map that was just made. */
export function readMapPitches(): readonly [row: number, slice: number] {
  return [scratchFloat64[0] as number, scratchFloat64[1] as number];
}
