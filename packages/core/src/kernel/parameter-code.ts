/** Kernel parameters as small integers: how a value is written, what the native side is told, how much room it gets. */
import type { ParameterType } from "./kernel-type.js";
import { argumentKinds } from "../binding/native.js";

/** How a value is written; one small integer for each parameter, for the switches of the launch path. */
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

/** Room for an argument by value whose size is not known before it comes. */
export const openRoom = 1024;

/** The code of a type. */
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

/** What the native side calls it, of `argumentKinds`. */
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

/** Bytes of the scratch block that it gets. */
export function roomOf(type: ParameterType): number {
  if (type.kind === "struct" || type.kind === "unknown") return Math.max(type.bytes, openRoom);
  return Math.max(type.bytes, 16);
}
