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
import { SvmAllocation, svmNames, type SvmOptions } from "./svm-allocation.js";

/** How elements lie in memory: `"C"`, the last index next to each other, or `"F"`, the first. */
export type ElementOrder = "C" | "F";

/** How to allocate an array. */
export interface SvmArrayOptions extends SvmOptions {
  /** @defaultValue `"C"` */
  readonly order?: ElementOrder;
}

const arrayNames = ["order", ...svmNames] as const;

/** A model for {@link SvmArray.like}: another array, or a typed array, which has one dimension. */
export type SvmArrayLike<T extends TypedArray> = SvmArray<T> | T;

/**
 * An allocation of shared virtual memory with an element type and a shape. Fine-grained memory has its elements in
 * {@link SvmArray.data}; coarse-grained memory is mapped first.
 *
 * @example
 * ```ts
 * using grid = new SvmArray(context, [480, 640], Float32Array);
 * using next = SvmArray.like(context, grid);
 * ```
 */
export class SvmArray<T extends TypedArray = TypedArray> extends SvmAllocation<T> {
  readonly #elements: ElementType<T>;
  readonly #shape: readonly number[];
  readonly #order: ElementOrder;
  #data: ArrayOf<T> | undefined;

  /** Allocates the array; its elements are not initialized. */
  constructor(context: Context, shape: number | readonly number[], type: ElementType<T>, options?: SvmArrayOptions) {
    checkElementType(type, "type");
    const dimensions = checkShape(shape);
    const { order = "C", ...rest } = checkOptions(options, arrayNames);
    if (order !== "C" && order !== "F") throw typeError("options.order", '"C" or "F"', order);
    const bytes = dimensions.reduce((product, length) => product * length, 1) * type.BYTES_PER_ELEMENT;
    if (!Number.isSafeInteger(bytes)) throw rangeError("shape", "of fewer than 2 ** 53 bytes", shape);
    super(context, bytes, { alignment: type.BYTES_PER_ELEMENT, ...rest }, type);
    this.#elements = type;
    this.#shape = Object.freeze(dimensions);
    this.#order = order;
  }

  /**
   * Allocates an array with the shape, the element type and the order of another `SvmArray`, or with the length and the
   * type of a typed array. Its elements are not initialized, and its kind of memory comes from `options` alone.
   */
  static like<T extends TypedArray>(context: Context, model: SvmArrayLike<T>, options?: SvmArrayOptions): SvmArray<T> {
    const given = checkOptions(options, arrayNames);
    if (model instanceof SvmArray) {
      return new SvmArray(context, model.shape, model.type, { order: model.order, ...given });
    }
    hostBytes(checkTypedArray(model, "model"), "model", true);
    return new SvmArray(context, model.length, elementTypeOf(model), given);
  }

  /** The typed array that holds its elements. */
  override get type(): ElementType<T> {
    return this.#elements;
  }

  /** Its elements along each dimension. */
  get shape(): readonly number[] {
    return this.#shape;
  }

  /** How its elements lie in memory. */
  get order(): ElementOrder {
    return this.#order;
  }

  /** Bytes from one element to the next along each dimension. */
  get strides(): readonly number[] {
    const lengths = this.#order === "C" ? this.#shape.toReversed() : this.#shape;
    let step = this.#elements.BYTES_PER_ELEMENT;
    const strides = lengths.map((length) => {
      const own = step;
      step *= length;
      return own;
    });
    return this.#order === "C" ? strides.toReversed() : strides;
  }

  /** How many elements it has. */
  get length(): number {
    return this.size / this.#elements.BYTES_PER_ELEMENT;
  }

  /** All its elements, of fine-grained memory. Those of coarse-grained memory are reached by `map()`. */
  get data(): ArrayOf<T> {
    // Also asked when there is one: it throws once the array has been released.
    if (this.released || this.#data === undefined) this.#data = this.array(this.#elements);
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
