/**
 * Copies between images and buffers by way of host memory. NVIDIA's driver refuses them for any but the first image of a
 * 1-D array, though it reads and writes those.
 */
import { type Handle, native } from "../binding/native.js";
import { hold } from "../binding/pin.js";
import { MemObjectType } from "../constants.js";
import { OpenCLError } from "../errors.js";
import type { Image } from "./image.js";

/** The two commands of a detour, in order; the second waits for what it is given. */
export interface Detour {
  readonly first: (host: Uint8Array) => Handle;
  readonly second: (host: Uint8Array, waitFor: Int32Array) => Handle;
}

/** Runs the direct copy or, where the driver refuses it for this image, the detour through so many bytes. */
export function directly(image: Image, bytes: number, direct: () => Handle, { first, second }: Detour): Handle {
  try {
    return direct();
  } catch (error) {
    const refused = error instanceof OpenCLError && error.code === "CL_INVALID_VALUE";
    if (!refused || image.objectType !== MemObjectType.IMAGE1D_ARRAY) throw error;
  }
  const host = new Uint8Array(bytes);
  const there = first(host);
  try {
    const back = second(host, Int32Array.of(there));
    hold(back, host.buffer);
    return back;
  } finally {
    native.recycle(there);
  }
}
