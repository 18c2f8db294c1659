/** Names that users choose and programs contain: those of structs and their fields. */
import { checkString, typeError } from "../checks/check.js";

import { scalarByName, vectorByName } from "./scalar-types.js";

/** Words of OpenCL C that cannot be names. */
const reserved: ReadonlySet<string> = new Set(
  (
    "auto bool break case char complex const continue default do double else enum event_t extern false float for goto " +
    "half if imaginary inline int long private global local constant generic kernel pipe queue_t read_only write_only " +
    "read_write register restrict return sampler_t short signed sizeof size_t ptrdiff_t intptr_t uintptr_t static " +
    "struct switch true typedef union uniform unsigned void volatile while NULL"
  ).split(" "),
);

/** A name that a program can use for a type or a field. */
export function checkIdentifier(value: unknown, name: string): string {
  const word = checkString(value, name);
  if (!/^[A-Za-z_]\w*$/.test(word)) throw typeError(name, "a name in C: letters, digits and underscores", value);
  // Two underscores are the compiler's in C, and __proto__ is not a property like others in JavaScript.
  if (word.startsWith("__")) throw typeError(name, "a name that does not begin with two underscores", value);
  if (reserved.has(word) || scalarByName(word) !== undefined || vectorByName(word) !== undefined) {
    throw typeError(name, "a name that means nothing else in OpenCL C", value);
  }
  return word;
}
