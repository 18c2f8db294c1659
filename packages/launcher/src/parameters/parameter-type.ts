/** Compatibility of parameter types, written as in OpenCL C. */
import { readParameter, scalarByName } from "@cl/base";

/** Parameter types of host steps. `"any"` is not checked. */
export type HostType = "number" | "bigint" | "string" | "boolean" | "object" | "any";

/** Whether a value can have both types. `real` and `int` are incompatible, as a likely mistake; `float` and `double` are not. */
export function compatible(a: string, b: string): boolean {
  const [first, second] = [classOf(a), classOf(b)];
  if (first === second || first === "any" || second === "any") return true;
  if (numeric.has(first) && numeric.has(second)) {
    return first === "number" || second === "number" || (first !== "real" && second !== "real");
  }
  if (first === "bigint" || second === "bigint") return first === "long" || second === "long";
  // Untyped buffers match any pointer, and possibly structs.
  return first === "object" ? !scalar.has(second) : second === "object" && !scalar.has(first);
}

export function isNumber(type: string): boolean {
  return numeric.has(classOf(type));
}

/** Whether all values can be bigints. */
export function takesBigints(type: string): boolean {
  return ["long", "bigint", "any"].includes(classOf(type));
}

const numeric: ReadonlySet<string> = new Set(["number", "real", "integer", "long"]);
const scalar: ReadonlySet<string> = new Set(["number", "real", "integer", "long", "bigint", "string", "boolean"]);

/** Returns the class of a type. Types of one class accept the same values. */
function classOf(type: string): string {
  const declaration = readParameter(type);
  // Not an OpenCL C type, such as "object", or unknown to the runtime: use the text.
  if (declaration === undefined) return type === "(unknown type)" ? "any" : type;
  const { tag, type: name, pointers, specifiers } = declaration;
  const isValue = tag === undefined && pointers === 0;
  const scalarType = isValue ? scalarByName(name) : undefined;
  if (scalarType !== undefined) return scalarType.letter === "f" ? "real" : scalarType.bytes === 8 ? "long" : "integer";
  if (isValue && name === "size_t") return "any";
  const tokens = [specifiers.has("local") ? "local" : "", tag ?? "", name].filter((token) => token !== "");
  return `${tokens.join(" ")}${"*".repeat(pointers)}`;
}
