/** Descriptors of `__global` and `__constant` memory, for buffers and views. */
import { checkBoolean, checkInstance, checkInteger, checkOptions, rangeError, typeError } from "@cl/base";

import { acceptMemory } from "./accept-memory.js";
import { type MemoryShape, MemoryType, shapeOptionNames } from "./memory-type.js";
import { Context } from "../platform/context.js";
import { handleOf } from "../binding/resource.js";
import type { DTypeLike } from "../dtype/registry.js";
import type { DeviceBuffer } from "../memory/buffer.js";

/** The strides that a descriptor accepts: contiguous in C order, any, or the given strides in bytes. */
export type StrideRule = "contiguous" | "any" | readonly number[];

/** Options of a descriptor of device memory. */
export interface DeviceMemoryTypeOptions extends MemoryShape {
  /**
   * Accepted strides.
   *
   * @defaultValue `"contiguous"`
   */
  readonly strides?: StrideRule;
  /**
   * Whether only the number of elements must match, not their shape.
   *
   * @defaultValue `false`
   */
  readonly flat?: boolean;
  /** If given, host arrays are accepted too, and kernels of this context access their memory. */
  readonly context?: Context;
}

/** Options of a descriptor of `__global` memory. */
export interface GlobalMemoryTypeOptions extends DeviceMemoryTypeOptions {
  /**
   * Whether kernels only read the memory.
   *
   * @defaultValue `false`
   */
  readonly const?: boolean;
}

const deviceOptionNames = [...shapeOptionNames, "strides", "flat", "context"] as const;

/** Base class of the descriptors of `__global` and `__constant` memory. */
export abstract class DeviceMemoryType extends MemoryType {
  /** The accepted strides. */
  readonly strides: StrideRule;
  /** Whether only the number of elements must match, not their shape. */
  readonly flat: boolean;
  /** The context in which host arrays are accepted; `undefined` if they are not. */
  readonly context: Context | undefined;

  constructor(type?: DTypeLike | null, options?: DeviceMemoryTypeOptions) {
    const { strides, flat, context, ...shape } = checkOptions(options, deviceOptionNames);
    super(type, shape);
    this.strides = checkStrides(strides, this.ndim);
    this.flat = checkBoolean(flat, "options.flat", false);
    this.context = context === undefined ? undefined : checkInstance(context, Context, "options.context");
    if (this.context !== undefined) handleOf(this.context);
    if (this.flat && this.strides !== "contiguous") {
      throw typeError("options.strides", "omitted if options.flat is true", strides);
    }
  }

  /**
   * Returns the buffer for a value: a buffer, an object that resolves to one as a kernel argument, such as a view, or
   * host memory if the descriptor has a context. Throws if the value does not match the descriptor.
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
    throw rangeError("options.strides", "an array with one stride per axis of options.shape or options.ndim", strides);
  }
  return Object.freeze(
    strides.map((stride: unknown, i) => checkInteger(stride, `options.strides[${i}]`, Number.MIN_SAFE_INTEGER)),
  );
}

/**
 * A descriptor of the memory for a `__global` pointer.
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
    const { const: isConst, ...shape } = checkOptions(options, [...deviceOptionNames, "const"]);
    super(type, shape);
    this.isConst = checkBoolean(isConst, "options.const", false);
    Object.freeze(this);
  }
}

/** A descriptor of the memory for a `__constant` pointer: small, and constant for all work-items. */
export class ConstantMemoryType extends DeviceMemoryType {
  override readonly qualifier = "__constant";
  override readonly isConst: boolean = true;

  constructor(type?: DTypeLike | null, options?: DeviceMemoryTypeOptions) {
    super(type, options);
    Object.freeze(this);
  }
}
