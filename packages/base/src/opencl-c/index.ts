/** The reader of OpenCL C. */
export { checkIdentifier } from "./identifier.js";
export { scalarByName, type ScalarName, type ScalarType, scalarTypes, vectorByName } from "./scalar-types.js";
export { type SourceType, SourceTypes } from "./source-types.js";
