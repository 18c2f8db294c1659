/** Arguments that are passed by value. */
import { checkBoolean, checkOptions } from "@cl/base";
import type { DeclaredType, DType, DTypeLike } from "@cl/core";

import { memoKeyOf } from "../memoize/memo-key.js";
import { extensionsOf } from "../types/required-extensions.js";
import { checkType } from "../types/type-registry.js";
import { ArgumentBase } from "./argument.js";
import { checkCName } from "./vector-argument.js";

/** How a value is declared. */
export interface ScalarArgumentOptions {
  /** True if the kernel does not change its copy. */
  readonly const?: boolean;
  /** The type's name in the program, if it is not OpenCL C's or the struct's own. */
  readonly cName?: string;
}

/**
 * A value: a number, a vector, a complex number, a struct.
 *
 * @example
 * ```ts
 * console.log(new ScalarArgument("float4", "center").declaration); // float4 center
 * ```
 */
export class ScalarArgument extends ArgumentBase {
  override readonly kind = "scalar";
  /** Its type. */
  readonly dtype: DType;
  /** True if the kernel does not change its copy. */
  readonly isConst: boolean;
  /** Its type's name in the program. */
  readonly cName: string;

  constructor(type: DTypeLike, name: string, options?: ScalarArgumentOptions) {
    const known = checkType(type, "type");
    super(name);
    const given = checkOptions(options, ["const", "cName"]);
    this.dtype = known;
    this.isConst = checkBoolean(given.const, "options.const", false);
    this.cName = checkCName(given.cName, known);
    Object.freeze(this);
  }

  override get parameters(): readonly string[] {
    return [`${this.isConst ? "const " : ""}${this.cName} ${this.name}`];
  }

  override get argTypes(): readonly DeclaredType[] {
    return [this.dtype];
  }

  override get extensions(): readonly string[] {
    return extensionsOf(this.dtype, false);
  }

  /** @internal */
  override [memoKeyOf](): string {
    return `${this.declaration} ${this.dtype.key}`;
  }
}
