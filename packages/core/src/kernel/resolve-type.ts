/** Parameter types that a runtime reports only by name: `real`, `struct particle`, `picture`. */
import type { SourceType } from "@cl/base";
import { KernelArgAddressQualifier } from "../binding/constants.js";
import { checkObjectTypedef, type ParameterType, parameterType, typeNameOf } from "./kernel-type.js";

/** Returns the type with what the source tells about its name, or about the name of a pointer's target. */
export function resolveType(reported: ParameterType, resolve: (name: string) => SourceType | undefined): ParameterType {
  const isValue = reported.kind === "struct" && reported.bytes === 0;
  if (!isValue && !(reported.kind === "global" && reported.scalar === undefined)) return reported;
  const name = typeNameOf(reported.text);
  const found = name === undefined || name === "void" ? undefined : resolve(name);
  if (found?.kind === "record") return isValue ? { ...reported, bytes: found.bytes ?? 0, reported } : reported;
  if (name !== undefined && found?.kind === "builtin") {
    const type = parameterType(reported.text.replace(name, found.name), reported.space);
    // Types that kernels cannot take by value, such as bool, stay unknown.
    if (type.kind !== "struct" && type.kind !== "unknown") return checkObjectTypedef({ ...type, reported }, reported);
  }
  // Only images are non-pointers in global memory.
  if (!isValue || reported.space !== KernelArgAddressQualifier.GLOBAL) return reported;
  return checkObjectTypedef({ kind: "image", text: reported.text, bytes: 8, reported }, reported);
}
