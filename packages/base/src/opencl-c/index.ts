/** A parser of OpenCL C declarations. */
export { commentPattern, literalPattern, replaceComments, withoutComments } from "./comments.js";
export { readDeclaration } from "./declaration.js";
export { DeclarationSplitter, isFunction } from "./declaration-splitter.js";
export { checkIdentifier, isIdentifier } from "./identifier.js";
export { type ParameterDeclaration, readParameter, splitParameters } from "./parameter.js";
export {
  bytesByName,
  isImageType,
  scalarByName,
  type ScalarName,
  type ScalarType,
  scalarTypes,
  vectorByName,
} from "./scalar-types.js";
export { type SourceType, SourceTypes } from "./source-types.js";
export type { Specifier } from "./specifiers.js";
export { textParts, type TextParts } from "./text-parts.js";
export { nextLine, splitTokens, type Token, tokenize } from "./tokens.js";
