/** `@cl/core/waiting`: waits that signals end, and work that takes turns, for packages that are built on this one. */
export { abortable } from "./abortable.js";
export { Turns } from "./turns.js";
