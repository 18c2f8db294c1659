/** Arguments that are neither values nor pointers to elements: images, samplers, pipes and queues. */
import { checkString, isImageType, typeError } from "@cl/base";
import type { DeclaredType } from "@cl/core";

import { ArgumentBase } from "./argument.js";

/** Access qualifier of an image. */
export type ImageAccess = "read_only" | "write_only" | "read_write";

/** An image argument. */
export class ImageArgument extends ArgumentBase {
  override readonly kind = "image";
  /** Type in OpenCL C, such as `image2d_t`. */
  readonly imageType: string;
  /** Access qualifier. */
  readonly access: ImageAccess;

  constructor(imageType: string, name: string, access: ImageAccess = "read_only") {
    if (!isImageType(checkString(imageType, "imageType"))) {
      throw typeError("imageType", "an image type such as image2d_t", imageType);
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

/** An argument that has only a declaration: a sampler, pipe, device queue or `void` pointer. */
export class OpaqueArgument extends ArgumentBase {
  override readonly kind = "opaque";
  readonly #type: string;

  /** `type` is the text before the name: `sampler_t`, `__global void *`. */
  constructor(type: string, name: string) {
    const text = checkString(type, "type").trim();
    if (!/^[A-Za-z_][\w ]*\*?$/.test(text)) throw typeError("type", "an OpenCL C type such as sampler_t", type);
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
