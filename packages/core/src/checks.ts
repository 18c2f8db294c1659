/** `@cl/core/checks`: the argument checks, for packages that are built on this one. */
export * from "./check.js";
export { checkOptions } from "./check-options.js";
export { checkIdentifier } from "./dtype/c-identifier.js";
export { bytesOf as checkElementBytes } from "./dtype/dtype.js";
export { nearestName } from "./names.js";
export { checkHostFunctionRoom } from "./queue/host-function.js";
export { withElements } from "./memory/buffer.js";
export { checkCopy, checkFill, checkImageFill } from "./transfer/check-copy.js";
export { checkElements } from "./view/view-source.js";
