/** The types of enums. */
import { evaluate } from "./condition.js";
import { splitTokens, type Token } from "./tokens.js";
import type { TypeNode } from "./type-node.js";

/**
 * Returns the type of an enum with these enumerators: `uint`, as compilers choose, or `int` if a value is negative.
 * Returns `undefined` if a value needs 64 bits or is not a constant.
 */
export function enumType(body: readonly Token[]): TypeNode | undefined {
  const values = new Map<string, bigint>();
  let next = 0n;
  for (const [name, equals, ...expression] of splitTokens(body, ",")) {
    if (name === undefined) continue;
    const value = equals === undefined ? next : evaluate(expression, (word) => values.get(word));
    if (value === undefined) return undefined;
    values.set(name.text, value);
    next = value + 1n;
  }
  const enumerators = [...values.values()];
  const isSigned = enumerators.some((value) => value < 0n);
  const [least, most] = isSigned ? [-(2n ** 31n), 2n ** 31n - 1n] : [0n, 2n ** 32n - 1n];
  return enumerators.every((value) => value >= least && value <= most)
    ? { kind: "enum", type: isSigned ? "int" : "uint" }
    : undefined;
}
