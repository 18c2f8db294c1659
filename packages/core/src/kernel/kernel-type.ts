/**
 * The types of kernel parameters at run time: what `clGetKernelArgInfo` says, or what a user declares, becomes one
 * {@link ParameterType} that says which values it takes and how they lie in the scratch block.
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

/** A kernel parameter. */
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
  /** As it reads in OpenCL C. */
  readonly text: string;
  /** The scalar itself, a vector's component, or what a pointer points to, where that is a plain type. */
  readonly scalar?: ScalarType;
  /** Components of a vector: 2, 3, 4, 8 or 16. */
  readonly width?: number;
  /** Bytes of a value; 0 where the value's own length decides. */
  readonly bytes: number;
  /** Its address space as the runtime reports it, where the runtime only knows the type's name. */
  readonly space?: number;
  /** False on PoCL: 3.1 passes an image to a parameter of a typedef as a buffer, and ends the process at a sampler. */
  readonly takesNamedObjects?: boolean;
  /** What the runtime reports, where the program's source tells more. */
  readonly told?: ParameterType;
  /** What a declared type makes of a value before it is written; throws what is not of the type. May run code of the value. */
  readonly adapt?: (value: unknown, argument: string) => unknown;
}

/** A pipe of packets of a type. */
export function pipeType(packet: string): ParameterType {
  return { kind: "pipe", text: `pipe ${packet}`, bytes: 8 };
}

/** A type by name: `"float"`, `"unsigned int"`, `"float4"`, `"image2d_t"`, `"sampler_t"`, `"__global float *"`, … */
export function parameterType(text: string, addressQualifier?: number): ParameterType {
  const declaration = readParameter(text);
  const isType = declaration !== undefined && declaration.name === undefined;
  // A pointer to what is not understood is still a pointer.
  const isPointer = isType ? declaration.pointers > 0 : text.trim().endsWith("*");
  const space = addressQualifier ?? spaceOf(declaration, isPointer);
  if (space === KernelArgAddressQualifier.LOCAL) return { kind: "local", text, bytes: 0 };
  const name = isType ? nameOf(declaration) : "";
  if (isPointer) {
    const scalar = declaration?.pointers === 1 ? (scalarByName(name) ?? vectorByName(name)?.scalar) : undefined;
    return { kind: "global", text, bytes: 8, ...(scalar === undefined ? {} : { scalar }) };
  }
  if (declaration?.specifiers.has("pipe") === true) return pipeType(name);
  // Also a typedef of such a name: PoCL takes it for an image, and passes it as one.
  if (name.startsWith("image")) return { kind: "image", text, bytes: 8 };
  if (name === "sampler_t") return { kind: "sampler", text, bytes: 8 };
  if (name === "queue_t") return { kind: "queue", text, bytes: 8 };
  const scalar = scalarByName(name);
  if (scalar !== undefined) return { kind: "scalar", text, scalar, bytes: scalar.bytes };
  const vector = vectorByName(name);
  if (vector !== undefined) return { kind: "vector", text, ...vector };
  return { kind: "struct", text, bytes: 0, ...(addressQualifier === undefined ? {} : { space: addressQualifier }) };
}

/** The name of a type, or of what a pointer points to, without qualifiers; undefined for a pointer to a pointer. */
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

/** A parameter of which nothing is known. */
export const unknownType: ParameterType = { kind: "unknown", text: "(unknown type)", bytes: 0 };

/**
 * A declared parameter type: its name in OpenCL C, a `DType` for what is passed by value, a `MemoryType` for what a pointer
 * points to, or the size of a struct in bytes; null for what is known without it.
 */
export type DeclaredType = string | DType | MemoryType | { readonly bytes: number } | null;

/** What somebody declares of a kernel's parameters: one type for each. */
export function declaredTypes(
  types: readonly DeclaredType[],
  discovered: readonly ParameterType[],
): readonly ParameterType[] {
  checkCount(types, "argTypes", discovered.length);
  return types.map((type, i) => declaredType(type, discovered[i] as ParameterType, `argTypes[${i}]`));
}

/** The names that somebody gives them: one for each, or undefined. */
export function declaredNames(names: readonly (string | undefined)[], count: number): readonly (string | undefined)[] {
  checkCount(names, "argNames", count);
  names.forEach((name, i) => {
    if (name !== undefined) checkString(name, `argNames[${i}]`);
  });
  return [...names];
}

function checkCount(list: readonly unknown[], name: string, count: number): void {
  if (!Array.isArray(list) || list.length !== count) {
    throw typeError(name, `an array of ${count}, one for each argument`, list);
  }
}

/** The type that a user declares for a parameter; throws if it contradicts what is known. `name` is for errors. */
export function declaredType(type: DeclaredType, discovered: ParameterType, name: string): ParameterType {
  const told = discovered.told ?? discovered;
  // The name that the source gives the type says no more than the source.
  if (type === null || (typeof type === "string" && type.trim() === told.text)) return discovered;
  const declared = readDeclaration(type, discovered, name);
  if (contradict(declared, told)) {
    throw typeError(name, `a type that agrees with ${told.text}, which the runtime tells`, type);
  }
  return told.kind === "struct" ? usableByName(declared, told) : declared;
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

/** Pointers to global memory agree whatever they point to: that is about the buffers, not about the parameter. */
function contradict(declared: ParameterType, discovered: ParameterType): boolean {
  if (discovered.kind === "unknown") return false;
  if (discovered.kind === "struct") return !kindsByName(discovered.space).includes(declared.kind);
  if (declared.kind !== discovered.kind) return true;
  if (discovered.kind !== "scalar" && discovered.kind !== "vector") return false;
  return declared.scalar !== discovered.scalar || declared.width !== discovered.width;
}

/** The type itself, or one that refuses all values where the runtime passes such objects wrongly. */
export function usableByName(type: ParameterType, told: ParameterType): ParameterType {
  const isObject = type.kind === "image" || type.kind === "sampler" || type.kind === "queue";
  if (!isObject || told.takesNamedObjects !== false) return type;
  const sentence = `this runtime takes images and samplers only for parameters of built-in types, not of a typedef such as ${told.text}; use #define for it`;
  return {
    ...type,
    adapt: (_, argument) => {
      throw new NotSupportedError("clSetKernelArg", `${argument}: ${sentence}`);
    },
  };
}

/** What a type can be that the runtime only knows by name. */
function kindsByName(space: number | undefined): readonly ParameterType["kind"][] {
  if (space === KernelArgAddressQualifier.PRIVATE) return ["struct", "scalar", "vector", "sampler", "queue"];
  if (space === KernelArgAddressQualifier.GLOBAL) return ["image"];
  return ["struct", "scalar", "vector", "sampler", "queue", "image"];
}
