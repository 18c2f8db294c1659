/** Shared virtual memory with a shape. */
import { checkInteger, checkOptions, rangeError, typeError } from "@cl/base";

import type { Context } from "../platform/context.js";
import {
  type ArrayOf,
  checkElementType,
  checkTypedArray,
  type ElementType,
  elementTypeOf,
  hostBytes,
} from "../dtype/host-array.js";
import type { TypedArray } from "../typed/index.js";
import { SvmAllocation, svmOptionNames, type SvmOptions } from "./svm-allocation.js";

/** Memory order of elements: `"C"` is row-major (last index fastest), `"F"` is column-major (first index fastest). */
export type ElementOrder = "C" | "F";

/** Options for allocating an {@link SvmArray}. */
export interface SvmArrayOptions extends SvmOptions {
  /**
   * Memory order of the elements.
   *
   * @defaultValue `"C"`
   */
  readonly order?: ElementOrder;
}

const optionNames = ["order", ...svmOptionNames] as const;

/** A prototype for {@link SvmArray.like}: an `SvmArray`, or a typed array, which counts as one-dimensional. */
export type SvmArrayLike<T extends TypedArray> = SvmArray<T> | T;

/**
 * An allocation of shared virtual memory with an element type and a shape. The elements of fine-grained memory are
 * accessible through {@link SvmArray.data}; coarse-grained memory must be mapped.
 *
 * @example
 * ```ts
 * using grid = new SvmArray(context, [480, 640], Float32Array);
 * using next = SvmArray.like(context, grid);
 * ```
 */
export class SvmArray<T extends TypedArray = TypedArray> extends SvmAllocation<T> {
  readonly #elementType: ElementType<T>;
  readonly #shape: readonly number[];
  readonly #order: ElementOrder;
  #data: ArrayOf<T> | undefined;

  /** Allocates the array; its elements are not initialized. */
  constructor(context: Context, shape: number | readonly number[], type: ElementType<T>, options?: SvmArrayOptions) {
    checkElementType(type, "type");
    const dimensions = checkShape(shape);
    const { order = "C", ...rest } = checkOptions(options, optionNames);
    if (order !== "C" && order !== "F") throw typeError("options.order", '"C" or "F"', order);
    const bytes = dimensions.reduce((product, length) => product * length, 1) * type.BYTES_PER_ELEMENT;
    if (!Number.isSafeInteger(bytes)) throw rangeError("shape", "a shape of fewer than 2 ** 53 bytes", shape);
    super(context, bytes, { alignment: type.BYTES_PER_ELEMENT, ...rest }, type);
    this.#elementType = type;
    this.#shape = Object.freeze(dimensions);
    this.#order = order;
  }

  /**
   * Allocates an array with the shape, element type and order of another `SvmArray`, or the length and type of a typed
   * array. Its elements are not initialized. The kind of memory depends only on `options`.
   */
  static like<T extends TypedArray>(context: Context, model: SvmArrayLike<T>, options?: SvmArrayOptions): SvmArray<T> {
    const checked = checkOptions(options, optionNames);
    if (model instanceof SvmArray) {
      return new SvmArray(context, model.shape, model.type, { order: model.order, ...checked });
    }
    hostBytes(checkTypedArray(model, "model"), "model", true);
    return new SvmArray(context, model.length, elementTypeOf(model), checked);
  }

  /** The typed array class of the elements. */
  override get type(): ElementType<T> {
    return this.#elementType;
  }

  /** Number of elements along each dimension. */
  get shape(): readonly number[] {
    return this.#shape;
  }

  /** Memory order of the elements. */
  get order(): ElementOrder {
    return this.#order;
  }

  /** Strides in bytes. */
  get strides(): readonly number[] {
    const lengths = this.#order === "C" ? this.#shape.toReversed() : this.#shape;
    let next = this.#elementType.BYTES_PER_ELEMENT;
    const strides = lengths.map((length) => {
      const stride = next;
      next *= length;
      return stride;
    });
    return this.#order === "C" ? strides.toReversed() : strides;
  }

  /** Number of elements. */
  get length(): number {
    return this.size / this.#elementType.BYTES_PER_ELEMENT;
  }

  /** The elements of a fine-grained array. Throws for coarse-grained memory; use `map()` instead. */
  get data(): ArrayOf<T> {
    // `array()` throws once the memory has been released, so it is called then too.
    if (this.released || this.#data === undefined) this.#data = this.array(this.#elementType);
    return this.#data;
  }

  protected override summary(): string {
    return `[${this.#shape.join(", ")}] ${super.summary()}`;
  }
}

function checkShape(shape: unknown): number[] {
  if (typeof shape === "number") return [checkInteger(shape, "shape")];
  if (!Array.isArray(shape)) throw typeError("shape", "a number or an array of numbers", shape);
  return shape.map((length, i) => checkInteger(length, `shape[${i}]`));
}
