/** What all descriptions of a kernel's arguments have in common. */
import { checkIdentifier } from "@cl/base";
import type { DeclaredType } from "@cl/core";

import { memoKeyOf } from "../memoize/memo-key.js";

/** One argument of a kernel, as its declaration says; it may be two parameters of the kernel. */
export abstract class ArgumentBase {
  /** What sort of argument it is. */
  abstract readonly kind: "vector" | "scalar" | "image" | "other";
  /** Its name. */
  readonly name: string;

  protected constructor(name: string) {
    this.name = checkIdentifier(name, "name");
  }

  /** The kernel's parameters, each in OpenCL C. */
  abstract get parameters(): readonly string[];

  /** The types of these parameters, for `kernel.argTypes`. */
  abstract get argTypes(): readonly DeclaredType[];

  /** The extensions that a device must have for it. */
  get extensions(): readonly string[] {
    return [];
  }

  /** The code with which a kernel begins because of this argument; mostly none. */
  get offsetCode(): string {
    return "";
  }

  /** The parameters as they stand in a kernel's parentheses. */
  get declaration(): string {
    return this.parameters.join(", ");
  }

  /** Its declaration. */
  toString(): string {
    return this.declaration;
  }

  /** @internal */
  [memoKeyOf](): string {
    return this.declaration;
  }
}
