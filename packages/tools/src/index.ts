/** The public face of `@cl/tools`. */
export { DeferredAllocator } from "./allocators/deferred-allocator.js";
