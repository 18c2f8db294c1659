/** Registry of ArrayBuffers over SVM, to recognize typed arrays over them. */
import { arrayBufferOf, byteOffsetOf } from "@cl/base";

import type { PublicSvm } from "./svm-base.js";

/** Start of an ArrayBuffer in SVM. */
interface Place {
  readonly svm: PublicSvm;
  readonly byteOffset: number;
}

const places = new WeakMap<ArrayBufferLike, Place>();

/** Registers an ArrayBuffer that starts `byteOffset` bytes into SVM. */
export function rememberPlace(memory: ArrayBufferLike, svm: PublicSvm, byteOffset: number): void {
  places.set(memory, { svm, byteOffset });
}

/** Returns the location of a view in SVM; `undefined` if it is over other memory. */
export function placeOfView(view: ArrayBufferView): Place | undefined {
  const place = places.get(arrayBufferOf(view));
  return place === undefined ? undefined : { svm: place.svm, byteOffset: place.byteOffset + byteOffsetOf(view) };
}
