/** The exports of `@cl/base/testing`: what `@cl/tools/testing` and this repository's tests share. */
export { collectGarbage, collectUntil } from "./garbage.js";
export { needs, type Run } from "./needs.js";
