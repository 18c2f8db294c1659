/** The exports of `@cl/characterize/testing`: helpers for tests of code whose launches depend on the device. */
export { overrideProperties, type OverridableProperties } from "./override-properties.js";
