/** Descriptors of the memory for a kernel's pointer parameters: element type and shape. */
import { checkInteger, checkOptions, outOfRange, rangeError, typeError, wrongState } from "@cl/base";

import type { DType } from "../dtype/dtype.js";
import { checkDType, dtype, type DTypeLike } from "../dtype/registry.js";
import type { LocalMemory } from "../argument/local-memory.js";
import type { MemoryObject } from "../memory/memory-object.js";

/** Options of every memory descriptor. */
export interface MemoryShape {
  /** Number of axes. Defaults to that of `shape`, else to any number. */
  readonly ndim?: number;
  /** Extent of each axis. Any shape matches if omitted. */
  readonly shape?: readonly number[];
}

/** The names of a {@link MemoryShape}. */
export const shapeOptionNames = ["ndim", "shape"] as const;

/** Base class of the descriptors of memory for a `__global`, `__constant` or `__local` pointer of a kernel. */
export abstract class MemoryType {
  /** The address space qualifier in OpenCL C. */
  abstract readonly qualifier: "__global" | "__constant" | "__local";
  /** Whether kernels only read the memory. */
  abstract readonly isConst: boolean;
  /** The element type; `undefined` if any type matches. */
  readonly dtype: DType | undefined;
  /** Number of axes; `undefined` if any number matches. */
  readonly ndim: number | undefined;
  /** The shape; `undefined` if any shape matches. */
  readonly shape: readonly number[] | undefined;

  constructor(type?: DTypeLike | null, options?: MemoryShape) {
    const { ndim, shape } = checkOptions(options, shapeOptionNames);
    this.dtype = type === undefined || type === null ? undefined : checkDType(type, "type");
    this.shape = shape === undefined ? undefined : checkExtents(shape, "options.shape");
    if (ndim !== undefined) checkInteger(ndim, "options.ndim", 0, maxAxes);
    if (ndim !== undefined && shape !== undefined && ndim !== shape.length) {
      throw rangeError("options.ndim", `the ${shape.length} axes of options.shape`, ndim);
    }
    this.ndim = ndim ?? shape?.length;
  }

  /**
   * Returns what is passed to a kernel for a value, as in {@link Kernel.argTypes}. Throws if the value does not match.
   */
  abstract fromParam(value: unknown): MemoryObject | LocalMemory;

  /** The pointer type in OpenCL C: `__global const float*`. */
  get cTypeString(): string {
    const constant = this.isConst && this.qualifier !== "__constant" ? "const " : "";
    return `${this.qualifier} ${constant}${this.dtype?.cName ?? "void"}*`;
  }

  /** Returns the element type; `undefined` if any type matches. */
  dereference(): DType | undefined {
    return this.dtype;
  }

  /** Number of elements; `undefined` if the shape is unknown. */
  get size(): number | undefined {
    return this.shape === undefined ? undefined : product(this.shape);
  }

  /** Size of the memory in bytes. Throws if the type or the shape is unknown. */
  get nbytes(): number {
    const { dtype: type, size } = this;
    if (type === undefined || size === undefined) {
      throw wrongState(`the size of ${String(this)} is unknown because it has no type or no shape`);
    }
    return size * type.itemSize;
  }

  /** The type of a companion parameter for the number of elements. (`size_t` cannot be a kernel parameter.) */
  get sizeType(): DType {
    return dtype("uint64");
  }

  /** The type of a companion parameter for the offset of the first element, in elements. */
  get offsetType(): DType {
    return dtype("uint32");
  }

  /** The type of a companion parameter for the shape, of at most 4 axes. */
  get shapeType(): DType {
    return this.#companion("uint32x4", 4, "shape");
  }

  /** The type of a companion parameter for the strides in elements, of at most 4 axes. */
  get stridesType(): DType {
    return this.#companion("uint32x4", 4, "strides");
  }

  /** The type of a companion parameter `[d0, d1, d2, size, s0, s1, s2, offset]`, in elements, for at most 3 axes. */
  get arrayInfoType(): DType {
    return this.#companion("uint32x8", 3, "array info");
  }

  #companion(type: string, maxNdim: number, what: string): DType {
    if (this.ndim === undefined || this.ndim <= maxNdim) return dtype(type);
    throw outOfRange(`the ${what} parameter supports at most ${maxNdim} axes, but ${String(this)} has ${this.ndim}`);
  }

  /** A string that is equal for equal descriptors only, for use as a map key. */
  get key(): string {
    const shape = this.shape === undefined ? (this.ndim ?? "any") : `[${this.shape.join()}]`;
    return `${this.qualifier} ${this.isConst ? "const " : ""}${this.dtype?.key ?? "void"} ${shape}`;
  }

  /** Returns whether both descriptors are equal. */
  equals(other: unknown): boolean {
    return this === other || (other instanceof MemoryType && other.key === this.key);
  }

  /** Returns a description such as `__global float* of shape [4,4]`. */
  toString(): string {
    if (this.shape !== undefined) return `${this.cTypeString} of shape [${this.shape.join()}]`;
    return this.ndim === undefined ? this.cTypeString : `${this.cTypeString} with ${this.ndim} axes`;
  }
}

/** NumPy's limit. */
const maxAxes = 64;

/** Returns the number of elements of a shape. */
export function product(shape: readonly number[]): number {
  return shape.reduce((count, extent) => count * extent, 1);
}

/** Checks a list of extents and returns a frozen copy. */
function checkExtents(value: readonly number[], name: string): readonly number[] {
  if (!Array.isArray(value)) throw typeError(name, "an array of extents", value);
  if (value.length > maxAxes) throw rangeError(name, `an array of at most ${maxAxes} extents`, value);
  const extents = Object.freeze(value.map((extent, i) => checkInteger(extent, `${name}[${i}]`, 0)));
  return extents;
}
