/** Parameters' types as OpenCL C writes them, and which of them one value can serve. */

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

const scalars: Readonly<Record<string, string>> = {
  half: "real",
  float: "real",
  double: "real",
  char: "integer",
  uchar: "integer",
  short: "integer",
  ushort: "integer",
  int: "integer",
  uint: "integer",
  long: "long",
  ulong: "long",
  size_t: "any",
  "(unknown type)": "any",
};

/** What kind of values a type takes: types of one class take the same. */
function classOf(type: string): string {
  const plain = type
    .replace(/\b(__)?(const|volatile|restrict|global|constant|private)\b/g, " ")
    .replace(/\bunsigned\s+(char|short|int|long)\b/g, "u$1")
    .replace(/\bunsigned\b/g, "uint")
    .replace(/\s*\*/g, "*")
    .replace(/\s+/g, " ")
    .trim();
  return scalars[plain] ?? plain;
}
