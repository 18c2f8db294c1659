/** Descriptors of the memory that a kernel's pointer parameters take: what lies there, and in what shape. */
import { checkInteger, checkOptions, outOfRange, rangeError, typeError, wrongState } from "@cl/base";

import type { DType } from "../dtype/dtype.js";
import { checkDType, dtype, type DTypeLike } from "../dtype/registry.js";
import type { LocalMemory } from "../argument/local-memory.js";
import type { MemoryObject } from "../memory/memory-object.js";

/** What every descriptor can say. */
export interface MemoryShape {
  /** How many axes there are. */
  readonly ndim?: number;
  /** The extent of each axis. */
  readonly shape?: readonly number[];
}

/** The names of a {@link MemoryShape}. */
export const shapeNames = ["ndim", "shape"] as const;

/** What lies in memory, for a `__global`, `__constant` or `__local` pointer of a kernel. */
export abstract class MemoryType {
  /** The address space as OpenCL C writes it. */
  abstract readonly qualifier: "__global" | "__constant" | "__local";
  /** True if kernels cannot write to it. */
  abstract readonly isConst: boolean;
  /** The type of its elements; undefined if any will do. */
  readonly dtype: DType | undefined;
  /** How many axes it has; undefined if any number will do. */
  readonly ndim: number | undefined;
  /** The extents of its axes; undefined if any will do. */
  readonly shape: readonly number[] | undefined;

  constructor(type?: DTypeLike | null, options?: MemoryShape) {
    const { ndim, shape } = checkOptions(options, shapeNames);
    this.dtype = type === undefined || type === null ? undefined : checkDType(type, "type");
    this.shape = shape === undefined ? undefined : checkExtents(shape, "options.shape");
    if (ndim !== undefined) checkInteger(ndim, "options.ndim", 0, maxAxes);
    if (ndim !== undefined && shape !== undefined && ndim !== shape.length) {
      throw rangeError("options.ndim", `the ${shape.length} axes of options.shape`, ndim);
    }
    this.ndim = ndim ?? shape?.length;
  }

  /** What a kernel gets for a value, as {@link Kernel.argTypes} makes it; what does not fit the description throws. */
  abstract fromParam(value: unknown): MemoryObject | LocalMemory;

  /** The pointer's type in OpenCL C: `__global const float*`. */
  get cTypeString(): string {
    const constant = this.isConst && this.qualifier !== "__constant" ? "const " : "";
    return `${this.qualifier} ${constant}${this.dtype?.cName ?? "void"}*`;
  }

  /** What it is a pointer to; undefined if that may be anything. */
  dereference(): DType | undefined {
    return this.dtype;
  }

  /** The elements of a shape that is known; undefined otherwise. */
  get size(): number | undefined {
    return this.shape === undefined ? undefined : product(this.shape);
  }

  /** Bytes of the described memory; throws if type and shape do not say it. */
  get nbytes(): number {
    const { dtype: type, size } = this;
    if (type === undefined || size === undefined) {
      throw wrongState(`the bytes of ${String(this)} are known when both its type and its shape are`);
    }
    return size * type.itemSize;
  }

  /** The type of a companion parameter with the number of elements. (C's `size_t` cannot be a kernel's parameter.) */
  get sizeType(): DType {
    return dtype("uint64");
  }

  /** The type of a companion parameter with the offset of the first element, in elements. */
  get offsetType(): DType {
    return dtype("uint32");
  }

  /** The type of a companion parameter with the extents, of at most 4 axes. */
  get shapeType(): DType {
    return this.#companion("uint32x4", 4, "shape");
  }

  /** The type of a companion parameter with the distances between elements along each of at most 4 axes, in elements. */
  get stridesType(): DType {
    return this.#companion("uint32x4", 4, "strides");
  }

  /** The type of a companion parameter `[d0, d1, d2, size, s0, s1, s2, offset]`, counted in elements, for at most 3 axes. */
  get arrayInfoType(): DType {
    return this.#companion("uint32x8", 3, "array info");
  }

  #companion(type: string, most: number, what: string): DType {
    if (this.ndim === undefined || this.ndim <= most) return dtype(type);
    throw outOfRange(`the ${what} of ${String(this)} has room for ${most} axes, but it has ${this.ndim}`);
  }

  /** A string that equal descriptors share and others do not, as a key for maps. */
  get key(): string {
    const shape = this.shape === undefined ? (this.ndim ?? "any") : `[${this.shape.join()}]`;
    return `${this.qualifier} ${this.isConst ? "const " : ""}${this.dtype?.key ?? "void"} ${shape}`;
  }

  /** True if both describe the same. */
  equals(other: unknown): boolean {
    return this === other || (other instanceof MemoryType && other.key === this.key);
  }

  /** In words for errors: `__global float* of shape [4,4]`. */
  toString(): string {
    if (this.shape !== undefined) return `${this.cTypeString} of shape [${this.shape.join()}]`;
    return this.ndim === undefined ? this.cTypeString : `${this.cTypeString} with ${this.ndim} axes`;
  }
}

/** NumPy's limit. */
const maxAxes = 64;

/** The elements of a shape. */
export function product(shape: readonly number[]): number {
  return shape.reduce((all, extent) => all * extent, 1);
}

/** A list of extents. */
function checkExtents(value: readonly number[], name: string): readonly number[] {
  if (!Array.isArray(value)) throw typeError(name, "an array of extents", value);
  if (value.length > maxAxes) throw rangeError(name, `an array of at most ${maxAxes} extents`, value);
  const extents = Object.freeze(value.map((extent, i) => checkInteger(extent, `${name}[${i}]`, 0)));
  return extents;
}
