/** What queues do with memory; `CommandQueue` has a method for each of these functions, which take it first. */
export { copySync, enqueueCopy } from "./copy.js";
export { enqueueFill } from "./fill.js";
export { map, mapSync } from "./map.js";
export { enqueueMigrate } from "./migrate.js";
export { read, readSync } from "./read.js";
export { write, writeSync } from "./write.js";
