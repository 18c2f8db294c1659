/** Public API of `@cl/cli`: the command `clkit` as a function. */
export { clkit } from "./main.js";
export type { CommandIo, Output } from "./io.js";
