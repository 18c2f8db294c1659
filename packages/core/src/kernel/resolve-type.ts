/** Types of parameters that a runtime knows only by a name of the source: `real`, `struct particle`, `picture`. */
import type { SourceType } from "@cl/base";
import { KernelArgAddressQualifier } from "../binding/constants.js";
import { type ParameterType, parameterType, typeNameOf, usableByName } from "./kernel-type.js";

/** Returns the type with what the source tells about its name, or about the name that it points to. */
export function resolveType(told: ParameterType, resolve: (name: string) => SourceType | undefined): ParameterType {
  const isValue = told.kind === "struct" && told.bytes === 0;
  if (!isValue && !(told.kind === "global" && told.scalar === undefined)) return told;
  const name = typeNameOf(told.text);
  const found = name === undefined || name === "void" ? undefined : resolve(name);
  if (found?.kind === "record") return isValue ? { ...told, bytes: found.bytes ?? 0, told } : told;
  if (name !== undefined && found?.kind === "builtin") {
    const type = parameterType(told.text.replace(name, found.name), told.space);
    // Of what no kernel takes by value, such as bool, only the name is known.
    if (type.kind !== "struct" && type.kind !== "unknown") return usableByName({ ...type, told }, told);
  }
  // In global memory, and without a star, only images are.
  if (!isValue || told.space !== KernelArgAddressQualifier.GLOBAL) return told;
  return usableByName({ kind: "image", text: told.text, bytes: 8, told }, told);
}
