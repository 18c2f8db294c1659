/** Arguments that are pointers to elements. */
import { checkBoolean, checkIdentifier, checkOptions, checkString, typeError, wrongState } from "@cl/base";
import {
  ConstantMemoryType,
  type DeclaredType,
  type DType,
  dtype,
  type DTypeLike,
  GlobalMemoryType,
  LocalMemoryType,
} from "@cl/core";

import { memoKeyOf } from "../memoize/memo-key.js";
import { extensionsOf } from "../types/required-extensions.js";
import { checkType } from "../types/type-registry.js";
import { ArgumentBase } from "./argument.js";

/** Address space that a pointer argument points to. */
export type AddressSpace = "global" | "constant" | "local";

/** Options of {@link VectorArgument}. */
export interface VectorArgumentOptions {
  /** Address space of the elements. @defaultValue `"global"` */
  readonly addressSpace?: AddressSpace;
  /** Declares the elements `const`. @defaultValue false */
  readonly const?: boolean;
  /** Declares the elements `volatile`. @defaultValue false */
  readonly volatile?: boolean;
  /** Declares the pointer `restrict`. @defaultValue false */
  readonly restrict?: boolean;
  /**
   * Passes the start of the memory and a byte offset, so that views at any offset can be passed.
   * @defaultValue false
   */
  readonly withOffset?: boolean;
  /** Name of the element type in the program. @defaultValue the name in OpenCL C, or that of the struct */
  readonly cName?: string;
}

/**
 * A pointer argument.
 *
 * With an offset, it has two parameters: the memory and the byte offset of the elements. The kernel's first line
 * computes the pointer. Unlike sub-buffers, which devices require to be aligned to hundreds of bytes, an offset can
 * have any value.
 *
 * @example
 * ```ts
 * const x = new VectorArgument("float32", "x", { const: true, withOffset: true });
 * console.log(x.declaration); // __global const float *x__base, long x__offset
 * console.log(x.offsetCode); // __global const float *x = (__global const float *)((__global const char *)x__base + x__offset);
 * ```
 */
export class VectorArgument extends ArgumentBase {
  override readonly kind = "vector";
  /** Type of the elements. */
  readonly dtype: DType;
  /** Address space of the elements. */
  readonly addressSpace: AddressSpace;
  /** True if the elements are `const`. */
  readonly isConst: boolean;
  /** True if the elements are `volatile`. */
  readonly isVolatile: boolean;
  /** True if the pointer is `restrict`. */
  readonly isRestrict: boolean;
  /** True if the argument consists of the memory and a byte offset. */
  readonly withOffset: boolean;
  /** Name of the element type in the program. */
  readonly cName: string;

  constructor(type: DTypeLike, name: string, options?: VectorArgumentOptions) {
    const elementType = checkType(type, "type");
    super(name);
    const checked = checkOptions(options, ["addressSpace", "const", "volatile", "restrict", "withOffset", "cName"]);
    this.dtype = elementType;
    this.addressSpace = checkSpace(checked.addressSpace ?? "global");
    this.isConst = checkBoolean(checked.const, "options.const", false);
    this.isVolatile = checkBoolean(checked.volatile, "options.volatile", false);
    this.isRestrict = checkBoolean(checked.restrict, "options.restrict", false);
    this.withOffset = checkBoolean(checked.withOffset, "options.withOffset", false);
    if (this.withOffset && this.addressSpace === "local") {
      throw typeError("options.withOffset", "false for __local memory", true);
    }
    this.cName = checkCName(checked.cName, elementType);
    Object.freeze(this);
  }

  override get parameters(): readonly string[] {
    const restrict = this.isRestrict ? "restrict " : "";
    const pointer = `${this.#element} *${restrict}${this.name}`;
    return this.withOffset ? [`${pointer}__base`, `long ${this.name}__offset`] : [pointer];
  }

  override get argTypes(): readonly DeclaredType[] {
    // The type of the underlying memory is unknown.
    if (this.withOffset) return [null, dtype("int64")];
    switch (this.addressSpace) {
      case "global":
        return [new GlobalMemoryType(this.dtype, { const: this.isConst })];
      case "constant":
        return [new ConstantMemoryType(this.dtype)];
      case "local":
        return [new LocalMemoryType(this.dtype)];
      default:
        return this.addressSpace satisfies never;
    }
  }

  override get extensions(): readonly string[] {
    return extensionsOf(this.dtype, true);
  }

  override get offsetCode(): string {
    if (!this.withOffset) return "";
    const { name } = this;
    const bytes = this.#qualified("char");
    return `${this.#element} *${name} = (${this.#element} *)((${bytes} *)${name}__base + ${name}__offset);`;
  }

  /**
   * Returns an expression that loads the element at an index expression. Half-precision values are loaded as floats,
   * which every device supports; booleans are loaded as 0 or 1.
   */
  load(index: string): string {
    checkString(index, "index");
    const half = this.#halfAccess("load");
    if (half !== undefined) return `${half}(${index}, ${this.#halves})`;
    const element = `${this.name}[${index}]`;
    return this.dtype.kind === "bool" ? `(${element} != 0)` : element;
  }

  /**
   * Returns an expression that stores a value expression at an index expression. Half-precision values are converted
   * from floats. Throws if the elements are read-only.
   */
  store(index: string, value: string): string {
    checkString(index, "index");
    checkString(value, "value");
    if (this.isConst || this.addressSpace === "constant") {
      throw wrongState(`"${this.declaration}" is read-only: store() is not supported`);
    }
    const half = this.#halfAccess("store");
    if (half !== undefined) return `${half}(${value}, ${index}, ${this.#halves})`;
    return `${this.name}[${index}] = ${this.dtype.kind === "bool" ? `((${value}) != 0)` : value}`;
  }

  /** @internal */
  override [memoKeyOf](): string {
    return `${this.declaration} ${this.dtype.key}`;
  }

  get #element(): string {
    return this.#qualified(this.cName);
  }

  #qualified(name: string): string {
    const words = [`__${this.addressSpace}`, this.isConst ? "const" : "", this.isVolatile ? "volatile" : "", name];
    return words.filter((word) => word !== "").join(" ");
  }

  /** Returns the load or store function for half-precision elements. A vector of 3 is stored with the size of 4. */
  #halfAccess(operation: "load" | "store"): string | undefined {
    if (this.dtype.base.name !== "float16") return undefined;
    const { width } = this.dtype;
    return width === 1 ? `v${operation}_half` : `v${operation}${width === 3 ? "a" : ""}_half${width}`;
  }

  get #halves(): string {
    return this.dtype.width === 1 ? this.name : `(${this.#qualified("half")} *)${this.name}`;
  }
}

/** Returns the name of a type in a declaration. Throws if `cName` is not an identifier. */
export function checkCName(cName: string | undefined, type: DType): string {
  if (cName === undefined) return type.cName;
  const [, tag = "", name] = /^(struct )?(.*)$/s.exec(checkString(cName, "options.cName")) ?? [];
  return cName === type.cName ? cName : tag + checkIdentifier(name, "options.cName");
}

function checkSpace(value: unknown): AddressSpace {
  if (value === "global" || value === "constant" || value === "local") return value;
  throw typeError("options.addressSpace", '"global", "constant" or "local"', value);
}
