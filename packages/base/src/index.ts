/** The exports of `@cl/base`. */
export { memoizePerObject, OwnerCache, type OwnerCacheOptions } from "./caching/owner-cache.js";
export {
  checkBoolean,
  checkCString,
  checkFlags,
  checkFunction,
  checkInstance,
  checkInteger,
  checkList,
  checkObject,
  checkPointer,
  checkSignal,
  checkString,
  copyKey,
  describe,
  illegalConstructor,
  outOfRange,
  rangeError,
  typeError,
  withArticle,
  wrongState,
  wrongType,
  wrongValue,
} from "./checks/check.js";
export { checkOptions } from "./checks/check-options.js";
export { isObject, present } from "./checks/json-objects.js";
export { nearestName, unknownField, unknownName } from "./checks/names.js";
export {
  byteRange,
  checkInside,
  checkOrder,
  checkShape,
  checkStrides,
  contiguousLayout,
  contiguousStrides,
  isContiguous,
  type Layout,
  maxAxes,
  type Order,
  type Shape,
  sizeOf,
} from "./layouts/layout.js";
export { broadcastLayout, completeShape, reshapeLayout, transposeLayout } from "./layouts/layout-change.js";
export { boxCopy, type CopyPlace, type StridedCopy, stridedCopy } from "./layouts/layout-copy.js";
export { elementIndex, newAxis, sliceLayout, type SliceIndex } from "./layouts/layout-index.js";
export { type LayoutOptions, planLayout } from "./layouts/layout-options.js";
export { layoutsOverlap, overlapsItself } from "./layouts/layout-overlap.js";
export {
  arrayBufferOf,
  arrayTag,
  byteLengthOf,
  byteOffsetOf,
  bytesOver,
  canShrink,
  isBytes,
  isMemory,
  isView,
  lengthOf,
} from "./memory/array-access.js";
export { itemsWithin, type Releasable, ReleaseScopes } from "./memory/release-scope.js";
export * from "./opencl-c/index.js";
export { randomNumbers } from "./random/random-numbers.js";
export { listenToAbort, unlistenToAbort } from "./waiting/abort-listeners.js";
export { abortable } from "./waiting/abortable.js";
export { SerialQueue } from "./waiting/serial-queue.js";
