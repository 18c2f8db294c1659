/** What queues do with memory; `CommandQueue` has a method for each of these functions, which take it first. */
export { copySync, enqueueCopy } from "../transfer/copy.js";
export { enqueueFill } from "../transfer/fill.js";
export { map, mapSync } from "../transfer/map.js";
export { enqueueMigrate } from "../transfer/migrate.js";
export { read, readSync } from "../transfer/read.js";
export { write, writeSync } from "../transfer/write.js";
