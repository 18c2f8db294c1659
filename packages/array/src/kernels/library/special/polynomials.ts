/** Polynomials and tables of special functions in OpenCL C. */
import { coefficients } from "./coefficients.js";

/**
 * POLYNOMIAL(name, t), which is its value, TABLE(name), which is a list of numbers, and BOOLEAN, which is what select() takes, as
 * text of a type.
 */
export function withCoefficients(text: string, type: "float" | "double"): string {
  const listOf = (name: string): readonly string[] => {
    const known = coefficients[name];
    if (known === undefined) throw new Error(`no coefficients of ${name}`);
    return known[type].map((number) => literal(number, type));
  };
  return text
    .replaceAll(/\bBOOLEAN\b/g, type === "float" ? "int" : "long")
    .replaceAll(/\bPOLYNOMIAL\((\w+),\s+(\w+)\)/g, (_, name: string, t: string) =>
      listOf(name).reduceRight((sum, constant) => `mad(${sum}, ${t}, ${constant})`),
    )
    .replaceAll(/\bTABLE\((\w+)\)/g, (_, name: string) => `{${listOf(name).join(", ")}}`);
}

/** Devices without float64 need not know literals without an f. */
function literal(number: number, type: "float" | "double"): string {
  const digits = String(number);
  return `${/[.e]/.test(digits) ? digits : `${digits}.0`}${type === "float" ? "f" : ""}`;
}
