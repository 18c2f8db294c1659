/** Codes of kernel parameters, for the launch path and the native side, and their sizes in the scratch block. */
import type { ParameterType } from "./kernel-type.js";
import { argumentKinds } from "../binding/native.js";

/** Codes that select how the launch path writes a value. */
export const parameterCodes = {
  memory: 0,
  local: 1,
  integer: 2,
  long: 3,
  float: 4,
  double: 5,
  half: 6,
  bytes: 7,
  image: 8,
  sampler: 9,
  queue: 10,
  unknown: 11,
  pipe: 12,
} as const;

/** Bytes reserved for an argument by value of unknown size. */
export const unsizedRoom = 1024;

/** Returns the code of a type. */
export function codeOf(type: ParameterType): number {
  switch (type.kind) {
    case "global":
      return parameterCodes.memory;
    case "scalar":
      return scalarCode(type);
    case "vector":
    case "struct":
      return parameterCodes.bytes;
    case "local":
    case "image":
    case "sampler":
    case "queue":
    case "pipe":
    case "unknown":
      return parameterCodes[type.kind];
    default:
      return type.kind satisfies never;
  }
}

function scalarCode(type: ParameterType): number {
  const name = type.scalar?.name;
  switch (name) {
    case "long":
    case "ulong":
      return parameterCodes.long;
    case "float":
      return parameterCodes.float;
    case "double":
      return parameterCodes.double;
    case "half":
      return parameterCodes.half;
    case "char":
    case "uchar":
    case "short":
    case "ushort":
    case "int":
    case "uint":
    case undefined:
      return parameterCodes.integer;
    default:
      return name satisfies never;
  }
}

/** Returns a type's code on the native side, of `argumentKinds`. */
export function nativeKind(type: ParameterType): number {
  switch (type.kind) {
    case "global":
    case "image":
    case "pipe":
      return argumentKinds.memory;
    case "local":
      return argumentKinds.local;
    case "sampler":
      return argumentKinds.sampler;
    case "queue":
      return argumentKinds.queue;
    case "scalar":
    case "vector":
    case "struct":
    case "unknown":
      return argumentKinds.value;
    default:
      return type.kind satisfies never;
  }
}

/** Returns the number of bytes reserved for an argument in the scratch block. */
export function reservedBytes(type: ParameterType): number {
  if (type.kind === "struct" || type.kind === "unknown") return Math.max(type.bytes, unsizedRoom);
  return Math.max(type.bytes, 16);
}
