/** `@cl/core/checks`: the argument checks, for packages that are built on this one. */
export * from "./check.js";
export { checkIdentifier } from "./dtype/c-identifier.js";
