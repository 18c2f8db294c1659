/** `@cl/core/layouts`: the arithmetic of views, for packages whose arrays have axes, too. */
export { broadcastLayout, completeShape, reshapeLayout, transposeLayout } from "./view/layout-change.js";
export { type LayoutOptions, planLayout } from "./view/layout-options.js";
export { elementIndex, sliceLayout } from "./view/layout-index.js";
export { layoutsOverlap, overlapsItself } from "./view/layout-overlap.js";
export {
  byteRange,
  checkOrder,
  checkShape,
  contiguousLayout,
  isContiguous,
  type Layout,
  mostAxes,
  sizeOf,
} from "./view/layout.js";
export { eachNested, nestedShape } from "./view/nested.js";
