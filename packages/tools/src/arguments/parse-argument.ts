/** Reads the declarations of kernels' arguments. */
import { checkBoolean, checkIdentifier, checkOptions, checkString, isImageType, typeError } from "@cl/base";
import { type DType, dtype, type StructType } from "@cl/core";

import { readTypes, type TypeRegistry } from "../types/type-registry.js";
import { type Declarator, readDeclarator } from "./declarator.js";
import { ImageArgument, OtherArgument } from "./other-argument.js";
import { ScalarArgument } from "./scalar-argument.js";
import { VectorArgument } from "./vector-argument.js";

/** A description of an argument; `kind` tells which. */
export type Argument = VectorArgument | ScalarArgument | ImageArgument | OtherArgument;

/** How to read declarations. */
export interface ParseArgumentOptions {
  /** Names of types besides those of OpenCL C: a registry, or the structs. */
  readonly types?: TypeRegistry | readonly StructType[];
  /** True if pointers to global and constant memory are to take a byte offset; see {@link VectorArgument}. */
  readonly withOffset?: boolean;
  /** `device.addressBits`: what `size_t` and its like are then. Without it they are refused, since their size is unknown. */
  readonly addressBits?: 32 | 64;
}

/**
 * Describes an argument from its declaration in OpenCL C. A pointer without an address space is to global memory. What is
 * no kernel's argument, or cannot be described, throws with the reason.
 *
 * @example
 * ```ts
 * const x = parseArgument("__global const float4 *x");
 * if (x.kind === "vector") console.log(x.dtype.name, x.addressSpace, x.isConst); // float32x4 global true
 * ```
 */
export function parseArgument(declaration: string, options?: ParseArgumentOptions): Argument {
  return describe(checkString(declaration, "declaration"), "declaration", readParseOptions(options));
}

/** Options that have been checked. */
export interface Reading {
  readonly types: TypeRegistry;
  readonly withOffset: boolean;
  readonly addressBits: 32 | 64 | undefined;
}

/** Checks the options once for a list. */
export function readParseOptions(options: ParseArgumentOptions | undefined): Reading {
  const { types, withOffset, addressBits } = checkOptions(options, ["types", "withOffset", "addressBits"]);
  if (addressBits !== undefined && addressBits !== 32 && addressBits !== 64) {
    throw typeError("options.addressBits", "32 or 64", addressBits);
  }
  return {
    types: readTypes(types, "options.types"),
    withOffset: checkBoolean(withOffset, "options.withOffset", false),
    addressBits,
  };
}

/** The description of one declaration; `name` says where it stands, for errors. */
export function describe(text: string, name: string, reading: Reading): Argument {
  const refuse = (expected: string): TypeError => typeError(name, expected, text);
  const declarator = readDeclarator(text, refuse);
  checkIdentifier(declarator.name, `the name in ${name}`);
  return declarator.isPointer ? pointer(declarator, reading, refuse) : value(declarator, reading, refuse);
}

type Refuse = (expected: string) => TypeError;

function pointer(declarator: Declarator, { types, withOffset, addressBits }: Reading, refuse: Refuse): Argument {
  const { name, type, addressSpace = "global", qualifiers } = declarator;
  if (addressSpace === "private") {
    throw refuse("a pointer that the host can give a kernel, and not one to __private memory");
  }
  if (isImageType(type) || opaque.has(type)) throw refuse(`${type} by value: there are no pointers to it`);
  if (declarator.access !== undefined) throw refuse("without an access qualifier, which is for images and pipes");
  if (type === "void") {
    return new OtherArgument(
      [`__${addressSpace}`, ...qualifiers.filter((word) => word !== "restrict"), "void *"].join(" "),
      name,
    );
  }
  const element = typeOf(declarator, types, addressBits, refuse);
  return new VectorArgument(element.dtype, name, {
    addressSpace,
    const: qualifiers.includes("const"),
    volatile: qualifiers.includes("volatile"),
    restrict: qualifiers.includes("restrict"),
    withOffset: withOffset && addressSpace !== "local",
    cName: element.cName,
  });
}

function value(declarator: Declarator, { types, addressBits }: Reading, refuse: Refuse): Argument {
  const { name, type, addressSpace, qualifiers, access } = declarator;
  if (addressSpace !== undefined && addressSpace !== "private") {
    throw refuse(`a pointer where it is in __${addressSpace} memory: values are private`);
  }
  if (isImageType(type)) return new ImageArgument(type, name, access ?? "read_only");
  if (declarator.isPipe) return new OtherArgument(`${access === undefined ? "" : `__${access} `}pipe ${type}`, name);
  if (access !== undefined) throw refuse("without an access qualifier, which is for images and pipes");
  if (qualifiers.includes("restrict")) throw refuse("a pointer where it is restrict");
  if (opaque.has(type)) return new OtherArgument(type, name);
  if (type === "void") throw refuse("of a type that has values, and void has none");
  const { dtype, cName } = typeOf(declarator, types, addressBits, refuse);
  return new ScalarArgument(dtype, name, { const: qualifiers.includes("const"), cName });
}

/** Types of arguments that have no values on the host. */
const opaque: ReadonlySet<string> = new Set(["sampler_t", "queue_t"]);

function typeOf(
  { type, tag }: Declarator,
  types: TypeRegistry,
  addressBits: 32 | 64 | undefined,
  refuse: Refuse,
): { readonly dtype: DType; readonly cName: string } {
  if (type === "bool") {
    throw refuse("of a type of known size: bool has none, so that kernels do not take it; use uchar");
  }
  const sized = addressBits === undefined ? undefined : addressSized(type, addressBits);
  if (sized !== undefined) return { dtype: sized, cName: sized.cName };
  if (addressSized(type, 64) !== undefined) {
    throw refuse(
      `of a type of known size, as ulong: that of ${type} differs between devices (or give options.addressBits)`,
    );
  }
  if (!types.has(type)) throw refuse(`of a type of OpenCL C, or one that is registered, which "${type}" is not`);
  const dtype = types.dtype(type);
  if (tag !== undefined && dtype.kind !== "struct") throw refuse(`without "struct": "${type}" is none`);
  return { dtype, cName: tag === undefined ? type : `struct ${type}` };
}

/** The type of a name whose size depends on the device. */
function addressSized(name: string, addressBits: 32 | 64): DType | undefined {
  if (name === "size_t" || name === "uintptr_t") return dtype(`uint${addressBits}`);
  return name === "ptrdiff_t" || name === "intptr_t" ? dtype(`int${addressBits}`) : undefined;
}
