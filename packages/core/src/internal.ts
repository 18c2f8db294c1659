/** `@cl/core/internal`: exports for the other packages of this repository. Not a stable API. */
export { bytesOf as checkElementBytes } from "./dtype/dtype.js";
export { checkDType, dtypeOfC } from "./dtype/registry.js";
export { withElements } from "./memory/buffer.js";
export { checkBufferOptions } from "./memory/buffer-options.js";
export { privateFolder } from "./cache/private-folder.js";
export { isPoclBefore } from "./platform/pocl.js";
export { checkHostFunctionRoom } from "./command-queue/host-function.js";
export { checkCopy, checkFill, checkImageFill } from "./command-queue/check-copy.js";
export { eachNested, nestedShape } from "./host-view/nested.js";
export { checkElements } from "./view/view-source.js";
export { targetName } from "./binary.js";
export { glibcVersion } from "./c-library.js";
export { pinMemory } from "./binding/pin.js";
export { Relay, type RelayBox, type RelayPart } from "./command-queue/relay.js";
