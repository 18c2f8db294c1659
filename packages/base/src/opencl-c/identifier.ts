/** Checks names that users choose for OpenCL C: structs, fields and parameters. */
import { checkString, typeError } from "../checks/check.js";
import { bytesByName } from "./scalar-types.js";
import { isArithmetic, specifierOf } from "./specifiers.js";

/** Reserved words of OpenCL C other than types and specifiers. */
const reserved: ReadonlySet<string> = new Set(
  (
    "auto break case complex continue default do else enum event_t false for goto if imaginary pipe queue_t return " +
    "sampler_t sizeof size_t ptrdiff_t intptr_t uintptr_t struct switch true union uniform while NULL"
  ).split(" "),
);

/** Returns true if the text consists of letters, digits and underscores and does not start with a digit. */
export function isIdentifier(text: string): boolean {
  return /^[A-Za-z_]\w*$/.test(text);
}

/**
 * Returns a name that OpenCL C code can use for a type, field or parameter. Throws if it is not an identifier or
 * reserved.
 */
export function checkIdentifier(value: unknown, name: string): string {
  const word = checkString(value, name);
  if (!isIdentifier(word)) throw typeError(name, "a C identifier: letters, digits and underscores", value);
  // C reserves names with two leading underscores, and __proto__ is a special property in JavaScript.
  if (word.startsWith("__")) throw typeError(name, "a name that does not begin with two underscores", value);
  if (reserved.has(word) || isArithmetic(word) || specifierOf(word) !== undefined || bytesByName(word) !== undefined) {
    throw typeError(name, "a name that is not reserved in OpenCL C", value);
  }
  return word;
}
