/** `@cl/core/internal`: for the packages of this repository only. It carries no promise of stability. */
export { bytesOf as checkElementBytes } from "./dtype/dtype.js";
export { dtypeOfC } from "./dtype/registry.js";
export { withElements } from "./memory/buffer.js";
export { checkHostFunctionRoom } from "./queue/host-function.js";
export { checkCopy, checkFill, checkImageFill } from "./transfer/check-copy.js";
export { eachNested, nestedShape } from "./view/nested.js";
export { checkElements } from "./view/view-source.js";
