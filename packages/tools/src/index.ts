/** The public face of `@cl/tools`. */
export { DeferredAllocator } from "./allocators/deferred-allocator.js";
export { clearFirstArgCaches, FirstArgCache } from "./memoize/first-arg-cache.js";
export { type Memoized, memoizeByFirstArg, type MemoizeOptions } from "./memoize/memoize-by-first-arg.js";
