/** The error for memory whose element type differs from that of a pointer parameter. */
import { wrongType } from "@cl/base";

import { elementScalars, type ElementType, elementTypeName } from "../dtype/host-array.js";
import type { ParameterType } from "./kernel-type.js";

/** Returns the error, with both element types and a fix. `argument` is the parameter's display name. */
export function elementMismatch(
  argument: string,
  { scalar, text }: ParameterType,
  what: "a buffer" | "shared memory",
  received: ElementType | undefined,
): TypeError {
  const array = scalar?.arrays.find((name) => name in globalThis) ?? scalar?.arrays[0];
  const receivedName =
    received === undefined ? "unknown" : `${elementScalars.get(received)?.name} (${elementTypeName(received)})`;
  const fix = what === "a buffer" ? `buffer.as(${array}) reinterprets it` : `pass a part() of type ${array}`;
  return wrongType(
    `${argument} must be ${what} of ${scalar?.name ?? text} (${array}) elements, received elements of ${receivedName}; ${fix}`,
  );
}
