/** Parameter types from element types and descriptors of memory: what they take, and what becomes of it. */
import { isView, scalarByName, wrongType } from "@cl/base";

import { StandInBytes, viewBytes } from "../argument/argument-bytes.js";
import { standIn, standsForOther } from "../argument/argument-stand-in.js";
import { acceptMemory } from "../descriptor/accept-memory.js";
import { DeviceMemoryType } from "../descriptor/device-memory-type.js";
import { acceptLocal, LocalMemoryType } from "../descriptor/local-memory-type.js";
import type { MemoryType } from "../descriptor/memory-type.js";
import { bytesOf, type DType } from "../dtype/dtype.js";
import type { ParameterType } from "./kernel-type.js";

/** A parameter that takes a value of an element type. */
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

/** Values of the type become bytes; bytes that are given are what they are. */
function adapterOf(type: DType): (value: unknown, argument: string) => unknown {
  return (value, argument) => {
    const given = standsForOther(value) ? standIn(value, argument) : value;
    if (given instanceof StandInBytes) return given;
    // As for structs that were not declared. A typed array that is no array of the value's fields is bytes, too.
    if (type.kind === "struct" && isView(given) && viewBytes(given) !== undefined) return given;
    return new StandInBytes(bytesOf(type, given, argument), type);
  };
}

/** A pointer to memory that a descriptor describes. What it leaves open is as the runtime tells. */
export function typeByDescriptor(type: MemoryType, discovered: ParameterType): ParameterType {
  const { cTypeString: text } = type;
  if (type instanceof LocalMemoryType) {
    return { kind: "local", text, bytes: 0, adapt: (value, argument) => acceptLocal(type, value, argument) };
  }
  if (!(type instanceof DeviceMemoryType)) throw wrongType(`no pointer is to ${String(type)}`);
  const scalar = type.dtype === undefined ? discovered.scalar : scalarByName(type.dtype.base.cName);
  return {
    kind: "global",
    text,
    bytes: 8,
    ...(scalar === undefined ? {} : { scalar }),
    adapt: (value, argument) => acceptMemory(type, value, argument),
  };
}
