/** The exports of `@cl/base/testing`: helpers shared by `@cl/tools/testing` and this repository's tests. */
export { collectGarbage, collectUntil } from "./garbage.js";
export { needs, type Run } from "./needs.js";
export { turns, until } from "./until.js";
