/** Base class of kernel argument descriptions. */
import { checkIdentifier } from "@cl/base";
import type { DeclaredType } from "@cl/core";

import { memoKeyOf } from "../memoize/memo-key.js";

/** The description of a kernel argument, which can consist of two kernel parameters: a pointer and its offset. */
export abstract class ArgumentBase {
  /** Kind of argument. */
  abstract readonly kind: "vector" | "scalar" | "image" | "opaque";
  /** Name of the argument. */
  readonly name: string;

  protected constructor(name: string) {
    this.name = checkIdentifier(name, "name");
  }

  /** Declarations of the kernel parameters in OpenCL C. */
  abstract get parameters(): readonly string[];

  /** Types of these parameters, for `kernel.argTypes`. */
  abstract get argTypes(): readonly DeclaredType[];

  /** Device extensions that it requires. */
  get extensions(): readonly string[] {
    return [];
  }

  /** Code that the kernel must begin with to use this argument; usually empty. */
  get offsetCode(): string {
    return "";
  }

  /** The parameters, separated by commas, as in a kernel's parameter list. */
  get declaration(): string {
    return this.parameters.join(", ");
  }

  /** Returns the declaration. */
  toString(): string {
    return this.declaration;
  }

  /** @internal */
  [memoKeyOf](): string {
    return this.declaration;
  }
}
