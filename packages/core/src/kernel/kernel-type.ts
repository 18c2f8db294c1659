/**
 * The types of kernel parameters at run time, as reported by `clGetKernelArgInfo` or declared by the user. A
 * {@link ParameterType} determines which values a parameter accepts and how they are written to the scratch block.
 */
import {
  checkInteger,
  checkObject,
  checkString,
  type ParameterDeclaration,
  readParameter,
  scalarByName,
  type ScalarType,
  typeError,
  vectorByName,
} from "@cl/base";

import { KernelArgAddressQualifier } from "../binding/constants.js";
import { typeByDescriptor, typeByValue } from "./declared-type.js";
import { MemoryType } from "../descriptor/memory-type.js";
import { DType } from "../dtype/dtype.js";
import { NotSupportedError } from "../binding/errors.js";

/** Type of a kernel parameter. */
export interface ParameterType {
  readonly kind:
    | "scalar"
    | "vector"
    | "struct"
    | "global"
    | "local"
    | "image"
    | "sampler"
    | "queue"
    | "pipe"
    | "unknown";
  /** The type in OpenCL C. */
  readonly text: string;
  /** The scalar type, the component type of a vector, or the plain type that a pointer points to. */
  readonly scalar?: ScalarType;
  /** Number of components of a vector: 2, 3, 4, 8 or 16. */
  readonly width?: number;
  /** Size of a value in bytes; 0 if it depends on the value. */
  readonly bytes: number;
  /** Address space reported by the runtime, for a type of which only the name is known. */
  readonly space?: number;
  /**
   * False on PoCL: for a parameter whose type is a typedef, it passes an image as a buffer and crashes on a sampler.
   */
  readonly acceptsObjectTypedefs?: boolean;
  /** The type reported by the runtime, if the program's source tells more. */
  readonly reported?: ParameterType;
  /** Converts a value before it is written; throws if it is not of the declared type. May run user code. */
  readonly adapt?: (value: unknown, argument: string) => unknown;
}

/** Returns the type of a pipe with packets of a type. */
export function pipeType(packet: string): ParameterType {
  return { kind: "pipe", text: `pipe ${packet}`, bytes: 8 };
}

/** Returns a type by name, such as `"unsigned int"`, `"float4"`, `"image2d_t"` or `"__global float *"`. */
export function parameterType(text: string, addressQualifier?: number): ParameterType {
  const declaration = readParameter(text);
  const isType = declaration !== undefined && declaration.name === undefined;
  // A pointer to an unknown type is still a pointer.
  const isPointer = isType ? declaration.pointers > 0 : text.trim().endsWith("*");
  const space = addressQualifier ?? spaceOf(declaration, isPointer);
  if (space === KernelArgAddressQualifier.LOCAL) return { kind: "local", text, bytes: 0 };
  const name = isType ? nameOf(declaration) : "";
  if (isPointer) {
    const scalar = declaration?.pointers === 1 ? (scalarByName(name) ?? vectorByName(name)?.scalar) : undefined;
    return { kind: "global", text, bytes: 8, ...(scalar === undefined ? {} : { scalar }) };
  }
  if (declaration?.specifiers.has("pipe") === true) return pipeType(name);
  // Includes typedefs with such a name: PoCL treats them as images, too.
  if (name.startsWith("image")) return { kind: "image", text, bytes: 8 };
  if (name === "sampler_t") return { kind: "sampler", text, bytes: 8 };
  if (name === "queue_t") return { kind: "queue", text, bytes: 8 };
  const scalar = scalarByName(name);
  if (scalar !== undefined) return { kind: "scalar", text, scalar, bytes: scalar.bytes };
  const vector = vectorByName(name);
  if (vector !== undefined) return { kind: "vector", text, ...vector };
  return { kind: "struct", text, bytes: 0, ...(addressQualifier === undefined ? {} : { space: addressQualifier }) };
}

/** Returns the unqualified name of a type or of a pointer's target; `undefined` for a pointer to a pointer. */
export function typeNameOf(text: string): string | undefined {
  const declaration = readParameter(text);
  return declaration === undefined || declaration.pointers > 1 ? undefined : nameOf(declaration);
}

function nameOf({ tag, type }: ParameterDeclaration): string {
  return tag === undefined ? type : `${tag} ${type}`;
}

function spaceOf(declaration: ParameterDeclaration | undefined, isPointer: boolean): number {
  const specifiers = declaration?.specifiers;
  if (specifiers?.has("local") === true) return KernelArgAddressQualifier.LOCAL;
  if (specifiers?.has("constant") === true) return KernelArgAddressQualifier.CONSTANT;
  if (specifiers?.has("global") === true || isPointer) return KernelArgAddressQualifier.GLOBAL;
  return KernelArgAddressQualifier.PRIVATE;
}

/** Type of a parameter about which nothing is known. */
export const unknownType: ParameterType = { kind: "unknown", text: "(unknown type)", bytes: 0 };

/**
 * A declared parameter type: its name in OpenCL C, a `DType` for a value, a `MemoryType` for a pointer, or the size of
 * a struct in bytes; `null` for the discovered type.
 */
export type DeclaredType = string | DType | MemoryType | { readonly bytes: number } | null;

/** Returns the parameter types for user declarations, one per parameter. */
export function declaredTypes(
  types: readonly DeclaredType[],
  discovered: readonly ParameterType[],
): readonly ParameterType[] {
  checkCount(types, "argTypes", discovered.length);
  return types.map((type, i) => declaredType(type, discovered[i] as ParameterType, `argTypes[${i}]`));
}

/** Returns the checked parameter names, one per parameter; a name may be `undefined`. */
export function declaredNames(names: readonly (string | undefined)[], count: number): readonly (string | undefined)[] {
  checkCount(names, "argNames", count);
  names.forEach((name, i) => {
    if (name !== undefined) checkString(name, `argNames[${i}]`);
  });
  return [...names];
}

function checkCount(list: readonly unknown[], name: string, count: number): void {
  if (!Array.isArray(list) || list.length !== count) {
    throw typeError(name, `an array with one element for each of the ${count} arguments`, list);
  }
}

/** Returns a parameter's declared type; throws if it contradicts the discovered type. `name` is for errors. */
export function declaredType(type: DeclaredType, discovered: ParameterType, name: string): ParameterType {
  const reported = discovered.reported ?? discovered;
  // Declaring the type's name in the source adds nothing to the discovered type.
  if (type === null || (typeof type === "string" && type.trim() === reported.text)) return discovered;
  const declared = readDeclaration(type, discovered, name);
  if (contradicts(declared, reported)) {
    throw typeError(name, `a type compatible with ${reported.text}, which the runtime reports`, type);
  }
  return reported.kind === "struct" ? checkObjectTypedef(declared, reported) : declared;
}

function readDeclaration(type: Exclude<DeclaredType, null>, discovered: ParameterType, name: string): ParameterType {
  if (typeof type === "string") return parameterType(type);
  if (type instanceof DType) return typeByValue(type);
  return type instanceof MemoryType ? typeByDescriptor(type, discovered) : structOf(type, name);
}

function structOf(type: { readonly bytes: number }, name: string): ParameterType {
  const bytes = checkInteger(checkObject(type, name).bytes, `${name}.bytes`, 1, 32 * 1024);
  return { kind: "struct", text: `struct of ${bytes} bytes`, bytes };
}

/** Returns whether a declared type contradicts the discovered one. Pointers to global memory never do. */
function contradicts(declared: ParameterType, discovered: ParameterType): boolean {
  if (discovered.kind === "unknown") return false;
  if (discovered.kind === "struct") return !kindsByName(discovered.space).includes(declared.kind);
  if (declared.kind !== discovered.kind) return true;
  if (discovered.kind !== "scalar" && discovered.kind !== "vector") return false;
  return declared.scalar !== discovered.scalar || declared.width !== discovered.width;
}

/** Returns the type, or one that rejects all values if the runtime does not support objects of typedef types. */
export function checkObjectTypedef(type: ParameterType, reported: ParameterType): ParameterType {
  const isObject = type.kind === "image" || type.kind === "sampler" || type.kind === "queue";
  if (!isObject || reported.acceptsObjectTypedefs !== false) return type;
  const message = `this runtime does not support images and samplers for parameters whose type is a typedef, such as ${reported.text}; use #define instead`;
  return {
    ...type,
    adapt: (_, argument) => {
      throw new NotSupportedError("clSetKernelArg", `${argument}: ${message}`);
    },
  };
}

/** Returns the kinds that a type of which only the name is known can have. */
function kindsByName(space: number | undefined): readonly ParameterType["kind"][] {
  if (space === KernelArgAddressQualifier.PRIVATE) return ["struct", "scalar", "vector", "sampler", "queue"];
  if (space === KernelArgAddressQualifier.GLOBAL) return ["image"];
  return ["struct", "scalar", "vector", "sampler", "queue", "image"];
}
