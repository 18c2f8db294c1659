/** Parameters' types as OpenCL C writes them, and which of them one value can serve. */
import { readParameter, scalarByName } from "@cl/base";

/** The types that a parameter of a host step can have; `"any"` checks nothing. */
export type HostType = "number" | "bigint" | "string" | "boolean" | "object" | "any";

/** True if some value fits both. `real` and `int` are a mistake more often than not, `float` and `double` are none. */
export function compatible(a: string, b: string): boolean {
  const [one, other] = [classOf(a), classOf(b)];
  if (one === other || one === "any" || other === "any") return true;
  if (numeric.has(one) && numeric.has(other)) {
    return one === "number" || other === "number" || (one !== "real" && other !== "real");
  }
  if (one === "bigint" || other === "bigint") return one === "long" || other === "long";
  // Buffers without an element type go to any pointer, and so may structs.
  return one === "object" ? !scalar.has(other) : other === "object" && !scalar.has(one);
}

/** True if the type takes numbers. */
export function isNumber(type: string): boolean {
  return numeric.has(classOf(type));
}

/** True if every value may be a bigint. */
export function takesBigints(type: string): boolean {
  return ["long", "bigint", "any"].includes(classOf(type));
}

const numeric: ReadonlySet<string> = new Set(["number", "real", "integer", "long"]);
const scalar: ReadonlySet<string> = new Set(["number", "real", "integer", "long", "bigint", "string", "boolean"]);

/** What kind of values a type takes: types of one class take the same. */
function classOf(type: string): string {
  const declaration = readParameter(type);
  // Of what is no type of OpenCL C, such as "object", and of what no runtime knows, the text is all there is.
  if (declaration === undefined) return type === "(unknown type)" ? "any" : type;
  const { tag, type: name, pointers, specifiers } = declaration;
  const isValue = tag === undefined && pointers === 0;
  const found = isValue ? scalarByName(name) : undefined;
  if (found !== undefined) return found.letter === "f" ? "real" : found.bytes === 8 ? "long" : "integer";
  if (isValue && name === "size_t") return "any";
  const words = [specifiers.has("local") ? "local" : "", tag ?? "", name].filter((word) => word !== "");
  return `${words.join(" ")}${"*".repeat(pointers)}`;
}
