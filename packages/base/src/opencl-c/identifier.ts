/** Names that users choose and programs contain: those of structs, their fields and parameters. */
import { checkString, typeError } from "../checks/check.js";
import { bytesByName } from "./scalar-types.js";
import { isArithmetic, specifierOf } from "./specifiers.js";

/** Words of OpenCL C that cannot be names, besides types and specifiers. */
const reserved: ReadonlySet<string> = new Set(
  (
    "auto break case complex continue default do else enum event_t false for goto if imaginary pipe queue_t return " +
    "sampler_t sizeof size_t ptrdiff_t intptr_t uintptr_t struct switch true union uniform while NULL"
  ).split(" "),
);

/** Returns true for letters, digits and underscores that begin with no digit. */
export function isIdentifier(text: string): boolean {
  return /^[A-Za-z_]\w*$/.test(text);
}

/** A name that a program can use for a type or a field. */
export function checkIdentifier(value: unknown, name: string): string {
  const word = checkString(value, name);
  if (!isIdentifier(word)) throw typeError(name, "a name in C: letters, digits and underscores", value);
  // Two underscores are the compiler's in C, and __proto__ is not a property like others in JavaScript.
  if (word.startsWith("__")) throw typeError(name, "a name that does not begin with two underscores", value);
  if (reserved.has(word) || isArithmetic(word) || specifierOf(word) !== undefined || bytesByName(word) !== undefined) {
    throw typeError(name, "a name that means nothing else in OpenCL C", value);
  }
  return word;
}
