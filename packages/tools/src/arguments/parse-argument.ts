/** Parses declarations of kernel arguments. */
import { checkBoolean, checkIdentifier, checkOptions, checkString, isImageType, typeError } from "@cl/base";
import { type DType, dtype, type StructType } from "@cl/core";

import { readTypes, type TypeRegistry } from "../types/type-registry.js";
import { type Declarator, readDeclarator } from "./declarator.js";
import { ImageArgument, OpaqueArgument } from "./opaque-argument.js";
import { ScalarArgument } from "./scalar-argument.js";
import { VectorArgument } from "./vector-argument.js";

/** A description of a kernel argument, discriminated by `kind`. */
export type Argument = VectorArgument | ScalarArgument | ImageArgument | OpaqueArgument;

/** Options for parsing declarations. */
export interface ParseArgumentOptions {
  /** Type names in addition to those of OpenCL C: a registry or an array of structs. */
  readonly types?: TypeRegistry | readonly StructType[];
  /** Gives pointers to global and constant memory a byte offset; see {@link VectorArgument}. @defaultValue false */
  readonly withOffset?: boolean;
  /** `device.addressBits`, the size of `size_t` and similar types. These types throw without it. */
  readonly addressBits?: 32 | 64;
}

/**
 * Parses the declaration of a kernel argument in OpenCL C. A pointer without an address space is a global pointer.
 * Throws if the declaration is invalid for a kernel argument or not supported.
 *
 * @example
 * ```ts
 * const x = parseArgument("__global const float4 *x");
 * if (x.kind === "vector") console.log(x.dtype.name, x.addressSpace, x.isConst); // float32x4 global true
 * ```
 */
export function parseArgument(declaration: string, options?: ParseArgumentOptions): Argument {
  return argumentOf(checkString(declaration, "declaration"), "declaration", checkParseOptions(options));
}

/** Checked {@link ParseArgumentOptions}. */
export interface CheckedParseOptions {
  readonly types: TypeRegistry;
  readonly withOffset: boolean;
  readonly addressBits: 32 | 64 | undefined;
}

export function checkParseOptions(options: ParseArgumentOptions | undefined): CheckedParseOptions {
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

/** Parses one declaration. Errors call it `name`. */
export function argumentOf(text: string, name: string, options: CheckedParseOptions): Argument {
  const refuse = (expected: string): TypeError => typeError(name, expected, text);
  const declarator = readDeclarator(text, refuse);
  checkIdentifier(declarator.name, `the name in ${name}`);
  return declarator.isPointer ? pointer(declarator, options, refuse) : value(declarator, options, refuse);
}

type Refuse = (expected: string) => TypeError;

function pointer(
  declarator: Declarator,
  { types, withOffset, addressBits }: CheckedParseOptions,
  refuse: Refuse,
): Argument {
  const { name, type, addressSpace = "global", qualifiers } = declarator;
  if (addressSpace === "private") {
    throw refuse("a pointer to global, constant or local memory: kernels cannot take pointers to __private memory");
  }
  if (isImageType(type) || opaqueTypes.has(type)) throw refuse(`${type} by value: pointers to it are not supported`);
  if (declarator.access !== undefined) throw refuse(accessMessage);
  if (type === "void") {
    return new OpaqueArgument(
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

function value(declarator: Declarator, { types, addressBits }: CheckedParseOptions, refuse: Refuse): Argument {
  const { name, type, addressSpace, qualifiers, access } = declarator;
  if (addressSpace !== undefined && addressSpace !== "private") {
    throw refuse(`a pointer if declared __${addressSpace}: values are private`);
  }
  if (isImageType(type)) return new ImageArgument(type, name, access ?? "read_only");
  if (declarator.isPipe) return new OpaqueArgument(`${access === undefined ? "" : `__${access} `}pipe ${type}`, name);
  if (access !== undefined) throw refuse(accessMessage);
  if (qualifiers.includes("restrict")) throw refuse("a pointer if declared restrict");
  if (opaqueTypes.has(type)) return new OpaqueArgument(type, name);
  if (type === "void") throw refuse("of a type other than void");
  const { dtype, cName } = typeOf(declarator, types, addressBits, refuse);
  return new ScalarArgument(dtype, name, { const: qualifiers.includes("const"), cName });
}

const accessMessage = "a declaration without an access qualifier, which only images and pipes can have";

/** Argument types without host values. */
const opaqueTypes: ReadonlySet<string> = new Set(["sampler_t", "queue_t"]);

function typeOf(
  { type, tag }: Declarator,
  types: TypeRegistry,
  addressBits: 32 | 64 | undefined,
  refuse: Refuse,
): { readonly dtype: DType; readonly cName: string } {
  if (type === "bool") {
    throw refuse("of a type with a defined size: kernels cannot take bool; use uchar");
  }
  const sized = addressBits === undefined ? undefined : addressSized(type, addressBits);
  if (sized !== undefined) return { dtype: sized, cName: sized.cName };
  if (addressSized(type, 64) !== undefined) {
    throw refuse(
      `of a fixed-size type such as ulong (or set options.addressBits: the size of ${type} depends on the device)`,
    );
  }
  if (!types.has(type)) throw refuse(`of an OpenCL C type or a registered type: "${type}" is unknown`);
  const dtype = types.dtype(type);
  if (tag !== undefined && dtype.kind !== "struct") throw refuse(`without "struct": "${type}" is not a struct`);
  return { dtype, cName: tag === undefined ? type : `struct ${type}` };
}

/** Returns the type of a name whose size depends on the device, such as `size_t`. */
function addressSized(name: string, addressBits: 32 | 64): DType | undefined {
  if (name === "size_t" || name === "uintptr_t") return dtype(`uint${addressBits}`);
  return name === "ptrdiff_t" || name === "intptr_t" ? dtype(`int${addressBits}`) : undefined;
}
