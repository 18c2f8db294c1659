/** The public face of `@cl/tools/testing`: helpers for tests with vitest. */
export { needs } from "./needs.js";
