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
  /** `"C"` if not said. */
  readonly order?: ElementOrder;
}

/** What an array is made like: another one, or a typed array, which has one dimension. */
export type SvmArrayLike<T extends TypedArray> = SvmArray<T> | T;

/**
 * An allocation of shared virtual memory with elements and a shape, as `svmEmpty` and its like make it. It is used as any
 * allocation is; its elements are in {@link SvmArray.data} where the host can touch them at any time, else in a map.
 */
export class SvmArray<T extends TypedArray = TypedArray> extends SvmAllocation<T> {
  readonly #elements: ElementType<T>;
  readonly #shape: readonly number[];
  readonly #order: ElementOrder;
  #data: ArrayOf<T> | undefined;

  /** Not initialized. */
  constructor(context: Context, shape: number | readonly number[], type: ElementType<T>, options?: SvmArrayOptions) {
    checkElementType(type, "type");
    const dimensions = checkShape(shape);
    const { order = "C", ...rest } = checkOptions(options, ["order", ...svmNames]);
    if (order !== "C" && order !== "F") throw typeError("options.order", '"C" or "F"', order);
    const bytes = dimensions.reduce((product, length) => product * length, 1) * type.BYTES_PER_ELEMENT;
    if (!Number.isSafeInteger(bytes)) throw rangeError("shape", "of fewer than 2 ** 53 bytes", shape);
    super(context, bytes, { alignment: type.BYTES_PER_ELEMENT, ...rest }, type);
    this.#elements = type;
    this.#shape = Object.freeze(dimensions);
    this.#order = order;
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

/** The shape of what an array is made like. */
export function shapeOf(like: SvmArray | TypedArray): readonly number[] {
  if (like instanceof SvmArray) return like.shape;
  hostBytes(checkTypedArray(like, "like"), "like", true);
  return [like.length];
}

/** The element type of what an array is made like. */
export function typeOfLike<T extends TypedArray>(like: SvmArrayLike<T>): ElementType<T> {
  return like instanceof SvmArray ? like.type : elementTypeOf(like);
}

function checkShape(shape: unknown): number[] {
  if (typeof shape === "number") return [checkInteger(shape, "shape")];
  if (!Array.isArray(shape)) throw typeError("shape", "a number or an array of numbers", shape);
  return shape.map((length, i) => checkInteger(length, `shape[${i}]`));
}
