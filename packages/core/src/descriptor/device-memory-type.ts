/** Descriptors of memory that buffers and views lie in: `__global` and `__constant`. */
import { checkBoolean, checkInstance, checkInteger, checkOptions, rangeError, typeError } from "@cl/base";

import { acceptMemory } from "./accept-memory.js";
import { type MemoryShape, MemoryType, shapeNames } from "./memory-type.js";
import { Context } from "../platform/context.js";
import { handleOf } from "../binding/resource.js";
import type { DTypeLike } from "../dtype/registry.js";
import type { DeviceBuffer } from "../memory/buffer.js";

/** How elements may follow one another: without gaps, in any way, or by these distances in bytes. */
export type StrideRule = "contiguous" | "any" | readonly number[];

/** What a descriptor of device memory can say. */
export interface DeviceMemoryTypeOptions extends MemoryShape {
  /** How elements may follow one another; `"contiguous"`, in C's order, if not said: that is what a pointer alone tells. */
  readonly strides?: StrideRule;
  /** True if kernels see one run of elements: only how many there are must agree then, not in which shape. */
  readonly flat?: boolean;
  /** In this context host arrays will do, too: kernels then work in their memory. */
  readonly context?: Context;
}

/** What a descriptor of `__global` memory can say. */
export interface GlobalMemoryTypeOptions extends DeviceMemoryTypeOptions {
  /** True if kernels only read it. */
  readonly const?: boolean;
}

const deviceNames = [...shapeNames, "strides", "flat", "context"] as const;

/** What `__global` and `__constant` have in common. */
export abstract class DeviceMemoryType extends MemoryType {
  /** How elements may follow one another. */
  readonly strides: StrideRule;
  /** True if only the number of elements must agree, not their shape. */
  readonly flat: boolean;
  /** In this context host arrays will do, too. */
  readonly context: Context | undefined;

  constructor(type?: DTypeLike | null, options?: DeviceMemoryTypeOptions) {
    const { strides, flat, context, ...shape } = checkOptions(options, deviceNames);
    super(type, shape);
    this.strides = checkStrides(strides, this.ndim);
    this.flat = checkBoolean(flat, "options.flat", false);
    this.context = context === undefined ? undefined : checkInstance(context, Context, "options.context");
    if (this.context !== undefined) handleOf(this.context);
    if (this.flat && this.strides !== "contiguous") {
      throw typeError("options.strides", "left out where options.flat is true", strides);
    }
  }

  /**
   * The buffer for a value: a buffer, anything that stands for one as a kernel argument, such as a view, or, where the
   * descriptor has a context, host memory. What does not fit the description throws.
   */
  override fromParam(value: unknown): DeviceBuffer {
    return acceptMemory(this, value, "value");
  }

  override get key(): string {
    const strides = typeof this.strides === "string" ? this.strides : `[${this.strides.join()}]`;
    return `${super.key} ${strides}${this.flat ? " flat" : ""}`;
  }

  override toString(): string {
    return this.flat ? `flat ${super.toString()}` : super.toString();
  }
}

function checkStrides(strides: StrideRule | undefined, ndim: number | undefined): StrideRule {
  if (strides === undefined) return "contiguous";
  if (strides === "contiguous" || strides === "any") return strides;
  if (!Array.isArray(strides)) throw typeError("options.strides", '"contiguous", "any" or an array of bytes', strides);
  if (strides.length !== ndim) {
    throw rangeError("options.strides", "as long as options.shape or options.ndim says", strides);
  }
  return Object.freeze(
    strides.map((stride: unknown, i) => checkInteger(stride, `options.strides[${i}]`, Number.MIN_SAFE_INTEGER)),
  );
}

/**
 * Memory for a `__global` pointer.
 *
 * @example
 * ```ts
 * const matrix = new GlobalMemoryType("float32", { shape: [8, 8], flat: true });
 * console.log(matrix.cTypeString, matrix.nbytes); // __global float* 256
 * ```
 */
export class GlobalMemoryType extends DeviceMemoryType {
  override readonly qualifier = "__global";
  override readonly isConst: boolean;

  constructor(type?: DTypeLike | null, options?: GlobalMemoryTypeOptions) {
    const { const: isConst, ...shape } = checkOptions(options, [...deviceNames, "const"]);
    super(type, shape);
    this.isConst = checkBoolean(isConst, "options.const", false);
    Object.freeze(this);
  }
}

/** Memory for a `__constant` pointer: small, and the same for all work-items. */
export class ConstantMemoryType extends DeviceMemoryType {
  override readonly qualifier = "__constant";
  override readonly isConst: boolean = true;

  constructor(type?: DTypeLike | null, options?: DeviceMemoryTypeOptions) {
    super(type, options);
    Object.freeze(this);
  }
}
