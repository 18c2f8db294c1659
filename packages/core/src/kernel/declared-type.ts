/** Parameter types declared by a dtype or a memory descriptor. */
import { isView, scalarByName, wrongType } from "@cl/base";

import { StandInBytes, viewBytes } from "../argument/argument-bytes.js";
import { standIn, standsForOther } from "../argument/argument-stand-in.js";
import { acceptMemory } from "../descriptor/accept-memory.js";
import { DeviceMemoryType } from "../descriptor/device-memory-type.js";
import { acceptLocal, LocalMemoryType } from "../descriptor/local-memory-type.js";
import type { MemoryType } from "../descriptor/memory-type.js";
import { bytesOf, type DType } from "../dtype/dtype.js";
import type { ParameterType } from "./kernel-type.js";

/** Returns the type of a parameter passed by value. */
export function typeByValue(type: DType): ParameterType {
  const { cName: text, itemSize: bytes } = type;
  if (type.kind === "struct") return { kind: "struct", text, bytes, adapt: adapterOf(type) };
  const scalar = scalarByName(type.base.kind === "bool" ? "uchar" : type.base.cName);
  const common = { text, bytes, ...(scalar === undefined ? {} : { scalar }) };
  switch (type.kind) {
    case "vector":
      return { kind: "vector", width: type.width, ...common };
    case "complex":
      return { kind: "vector", width: 2, ...common, adapt: adapterOf(type) };
    case "bool":
      return { kind: "scalar", ...common, adapt: adapterOf(type) };
    case "int":
    case "uint":
    case "float":
      return { kind: "scalar", ...common };
    default:
      return type.kind satisfies never;
  }
}

/** Returns a function that converts values of the type to bytes, and passes bytes through. */
function adapterOf(type: DType): (value: unknown, argument: string) => unknown {
  return (value, argument) => {
    const given = standsForOther(value) ? standIn(value, () => argument) : value;
    if (given instanceof StandInBytes) return given;
    // As for undeclared structs, a typed array is taken as bytes.
    if (type.kind === "struct" && isView(given) && viewBytes(given) !== undefined) return given;
    return new StandInBytes(bytesOf(type, given, argument), type);
  };
}

/** Returns the type of a pointer to memory with a descriptor. An undeclared element type is the discovered one. */
export function typeByDescriptor(type: MemoryType, discovered: ParameterType): ParameterType {
  const { cTypeString: text } = type;
  if (type instanceof LocalMemoryType) {
    return { kind: "local", text, bytes: 0, adapt: (value, argument) => acceptLocal(type, value, argument) };
  }
  if (!(type instanceof DeviceMemoryType)) throw wrongType(`a kernel parameter cannot point to ${String(type)}`);
  const scalar = type.dtype === undefined ? discovered.scalar : scalarByName(type.dtype.base.cName);
  return {
    kind: "global",
    text,
    bytes: 8,
    ...(scalar === undefined ? {} : { scalar }),
    adapt: (value, argument) => acceptMemory(type, value, argument),
  };
}
