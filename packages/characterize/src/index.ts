/** The public face of `@cl/characterize`. */
export { hasDoubleSupport } from "./features.js";
