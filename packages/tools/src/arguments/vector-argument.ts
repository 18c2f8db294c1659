/** Arguments that are pointers to elements. */
import { checkBoolean, checkIdentifier, checkOptions, checkString, typeError } from "@cl/base";
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

/** Where a pointer points to. */
export type AddressSpace = "global" | "constant" | "local";

/** How a pointer is declared. */
export interface VectorArgumentOptions {
  /** Where it points to; `"global"` if not said. */
  readonly addressSpace?: AddressSpace;
  /** True if the kernel only reads. */
  readonly const?: boolean;
  /** True for memory that changes unseen. */
  readonly volatile?: boolean;
  /** True if nothing else points to the memory. */
  readonly restrict?: boolean;
  /** True if the kernel takes the start of the memory and a byte offset, so that views at any offset can be passed. */
  readonly withOffset?: boolean;
  /** The element type's name in the program, if it is not OpenCL C's or the struct's own. */
  readonly cName?: string;
}

/**
 * A pointer to elements.
 *
 * With an offset it is two parameters, the memory and where in it the elements start, in bytes; the kernel's first line
 * makes the pointer from them. A device takes a part of a buffer as an argument only where its start is aligned to
 * hundreds of bytes; an offset may be any.
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
  /** The type of the elements. */
  readonly dtype: DType;
  /** Where it points to. */
  readonly addressSpace: AddressSpace;
  /** True if the kernel only reads. */
  readonly isConst: boolean;
  /** True for memory that changes unseen. */
  readonly isVolatile: boolean;
  /** True if nothing else points to the memory. */
  readonly isRestrict: boolean;
  /** True if it is the memory and an offset. */
  readonly withOffset: boolean;
  /** The element type's name in the program. */
  readonly cName: string;

  constructor(type: DTypeLike, name: string, options?: VectorArgumentOptions) {
    const known = checkType(type, "type");
    super(name);
    const given = checkOptions(options, ["addressSpace", "const", "volatile", "restrict", "withOffset", "cName"]);
    this.dtype = known;
    this.addressSpace = checkSpace(given.addressSpace ?? "global");
    this.isConst = checkBoolean(given.const, "options.const", false);
    this.isVolatile = checkBoolean(given.volatile, "options.volatile", false);
    this.isRestrict = checkBoolean(given.restrict, "options.restrict", false);
    this.withOffset = checkBoolean(given.withOffset, "options.withOffset", false);
    if (this.withOffset && this.addressSpace === "local") {
      throw typeError("options.withOffset", "false for __local memory, which has no offset", true);
    }
    this.cName = checkCName(given.cName, known);
    Object.freeze(this);
  }

  override get parameters(): readonly string[] {
    const restrict = this.isRestrict ? "restrict " : "";
    const pointer = `${this.#element} *${restrict}${this.name}`;
    return this.withOffset ? [`${pointer}__base`, `long ${this.name}__offset`] : [pointer];
  }

  override get argTypes(): readonly DeclaredType[] {
    // The memory at the base is whatever the view lies in.
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
   * An expression for the element at an index, itself an expression. Halves come as floats, which every device can do;
   * booleans as 0 or 1, whatever byte is there.
   */
  load(index: string): string {
    checkString(index, "index");
    const half = this.#halfAccess("load");
    if (half !== undefined) return `${half}(${index}, ${this.#halves})`;
    const element = `${this.name}[${index}]`;
    return this.dtype.kind === "bool" ? `(${element} != 0)` : element;
  }

  /** An expression that stores a value, itself an expression, at an index; halves are stored from floats. */
  store(index: string, value: string): string {
    checkString(index, "index");
    checkString(value, "value");
    if (this.isConst || this.addressSpace === "constant") {
      throw new TypeError(`nothing can be stored in "${this.declaration}", which is read only`);
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

  /** The function that a device without halves has for them. In memory a vector of 3 takes the room of one of 4. */
  #halfAccess(what: "load" | "store"): string | undefined {
    if (this.dtype.base.name !== "float16") return undefined;
    const { width } = this.dtype;
    return width === 1 ? `v${what}_half` : `v${what}${width === 3 ? "a" : ""}_half${width}`;
  }

  get #halves(): string {
    return this.dtype.width === 1 ? this.name : `(${this.#qualified("half")} *)${this.name}`;
  }
}

/** The name that a declaration uses for a type. */
export function checkCName(cName: string | undefined, type: DType): string {
  if (cName === undefined) return type.cName;
  const [, tag = "", name] = /^(struct )?(.*)$/s.exec(checkString(cName, "options.cName")) ?? [];
  return cName === type.cName ? cName : tag + checkIdentifier(name, "options.cName");
}

function checkSpace(value: unknown): AddressSpace {
  if (value === "global" || value === "constant" || value === "local") return value;
  throw typeError("options.addressSpace", '"global", "constant" or "local"', value);
}
