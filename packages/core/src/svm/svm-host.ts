/** Which ArrayBuffers lie over shared virtual memory, so that arrays over them can be told from other memory. */
import { arrayBufferOf, byteOffsetOf } from "@cl/base";

import type { PublicSvm } from "./svm-base.js";

/** Where an ArrayBuffer starts. */
interface Place {
  readonly svm: PublicSvm;
  readonly byteOffset: number;
}

const places = new WeakMap<ArrayBufferLike, Place>();

/** Remembers that an ArrayBuffer begins `byteOffset` bytes into shared virtual memory. */
export function rememberPlace(memory: ArrayBufferLike, svm: PublicSvm, byteOffset: number): void {
  places.set(memory, { svm, byteOffset });
}

/** Where in shared virtual memory a view lies; undefined if it does not. */
export function placeOfView(view: ArrayBufferView): Place | undefined {
  const place = places.get(arrayBufferOf(view));
  return place === undefined ? undefined : { svm: place.svm, byteOffset: place.byteOffset + byteOffsetOf(view) };
}
