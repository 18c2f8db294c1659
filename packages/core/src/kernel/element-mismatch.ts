/** The error for memory whose elements are not of the type that a parameter points to. */
import { wrongType } from "@cl/base";

import { elementScalars, type ElementType, elementTypeName } from "../dtype/host-array.js";
import type { ParameterType } from "./kernel-type.js";

/** Names both element types, and the conversion. `argument` is the parameter's name for errors. */
export function elementMismatch(
  argument: string,
  { scalar, text }: ParameterType,
  what: "a buffer" | "shared memory",
  given: ElementType | undefined,
): TypeError {
  const array = scalar?.arrays.find((name) => name in globalThis) ?? scalar?.arrays[0];
  const received = given === undefined ? "unknown" : `${elementScalars.get(given)?.name} (${elementTypeName(given)})`;
  const fix = what === "a buffer" ? `buffer.as(${array}) reinterprets it` : `pass a part of type ${array}`;
  return wrongType(
    `${argument} must be ${what} of ${scalar?.name ?? text} (${array}) elements, but received elements of ${received}; ${fix}`,
  );
}
