/** Arguments that are neither numbers nor pointers to them. */
import { checkString, isImageType, typeError } from "@cl/base";
import type { DeclaredType } from "@cl/core";

import { ArgumentBase } from "./argument.js";

/** What a kernel does with an image. */
export type ImageAccess = "read_only" | "write_only" | "read_write";

/** An image. */
export class ImageArgument extends ArgumentBase {
  override readonly kind = "image";
  /** Its type in OpenCL C: `image2d_t`. */
  readonly imageType: string;
  /** What the kernel does with it. */
  readonly access: ImageAccess;

  constructor(imageType: string, name: string, access: ImageAccess = "read_only") {
    if (!isImageType(checkString(imageType, "imageType"))) {
      throw typeError("imageType", "the type of an image, as image2d_t", imageType);
    }
    super(name);
    if (access !== "read_only" && access !== "write_only" && access !== "read_write") {
      throw typeError("access", '"read_only", "write_only" or "read_write"', access);
    }
    this.imageType = imageType;
    this.access = access;
    Object.freeze(this);
  }

  override get parameters(): readonly string[] {
    return [`__${this.access} ${this.imageType} ${this.name}`];
  }

  override get argTypes(): readonly DeclaredType[] {
    return [null];
  }
}

/** What is only declared: a sampler, a pipe, a queue of the device's, a pointer to nothing in particular. */
export class OtherArgument extends ArgumentBase {
  override readonly kind = "other";
  readonly #type: string;

  /** `type` is all that stands before the name: `sampler_t`, `__global void *`. */
  constructor(type: string, name: string) {
    const text = checkString(type, "type").trim();
    if (!/^[A-Za-z_][\w ]*\*?$/.test(text)) throw typeError("type", "a type of OpenCL C, as sampler_t", type);
    super(name);
    this.#type = text;
    Object.freeze(this);
  }

  override get parameters(): readonly string[] {
    return [`${this.#type}${this.#type.endsWith("*") ? "" : " "}${this.name}`];
  }

  override get argTypes(): readonly DeclaredType[] {
    return [null];
  }
}
