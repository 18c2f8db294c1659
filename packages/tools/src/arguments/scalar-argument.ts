/** Arguments that are passed by value. */
import { checkBoolean, checkOptions } from "@cl/base";
import type { DeclaredType, DType, DTypeLike } from "@cl/core";

import { memoKeyOf } from "../memoize/memo-key.js";
import { extensionsOf } from "../types/required-extensions.js";
import { checkType } from "../types/type-registry.js";
import { ArgumentBase } from "./argument.js";
import { checkCName } from "./vector-argument.js";

/** Options of {@link ScalarArgument}. */
export interface ScalarArgumentOptions {
  /** Declares the parameter `const`. @defaultValue false */
  readonly const?: boolean;
  /** Name of the type in the program. @defaultValue the name in OpenCL C, or that of the struct */
  readonly cName?: string;
}

/**
 * An argument passed by value: a number, vector, complex number or struct.
 *
 * @example
 * ```ts
 * console.log(new ScalarArgument("float4", "center").declaration); // float4 center
 * ```
 */
export class ScalarArgument extends ArgumentBase {
  override readonly kind = "scalar";
  /** Type of the value. */
  readonly dtype: DType;
  /** True if the parameter is declared `const`. */
  readonly isConst: boolean;
  /** Name of the type in the program. */
  readonly cName: string;

  constructor(type: DTypeLike, name: string, options?: ScalarArgumentOptions) {
    const dtype = checkType(type, "type");
    super(name);
    const checked = checkOptions(options, ["const", "cName"]);
    this.dtype = dtype;
    this.isConst = checkBoolean(checked.const, "options.const", false);
    this.cName = checkCName(checked.cName, dtype);
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
