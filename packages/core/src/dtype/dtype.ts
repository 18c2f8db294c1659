/** Element types: names, sizes, and reading and writing of values. */
import { inspect } from "node:util";

import { checkInteger, outOfRange, typeError, withArticle } from "@cl/base";

import type { ElementType } from "./host-array.js";

/** A complex number. */
export interface Complex {
  /** The real part. */
  readonly re: number;
  /** The imaginary part. */
  readonly im: number;
}

/** A value of a struct: one value per field. */
export interface StructValue {
  readonly [field: string]: DTypeValue;
}

/**
 * The value of an element: a number, a bigint for 64-bit integers, a boolean, a complex number, an array for vectors
 * and array fields, or an object for structs.
 */
export type DTypeValue = number | bigint | boolean | Complex | StructValue | readonly DTypeValue[];

/** The kind of an element type. */
export type DTypeKind = "bool" | "int" | "uint" | "float" | "complex" | "vector" | "struct";

/** The conversion of values of a type to scalars in memory and back. */
export interface Codec {
  /** Checks a value and appends its scalars to `into`; `name` is for errors. */
  encode(value: unknown, name: string, into: (number | bigint)[]): void;
  /**
   * Writes the scalars from index `next` on at byte `at`, which must be in bounds. Returns the index after the last
   * one.
   */
  write(view: DataView, at: number, scalars: readonly (number | bigint)[], next: number): number;
  /** Returns the value at byte `at`, which must be in bounds. */
  read(view: DataView, at: number): DTypeValue;
}

/** The properties of a new element type. */
export interface DTypePlan {
  readonly name: string;
  readonly kind: DTypeKind;
  readonly cName: string;
  readonly itemSize: number;
  readonly alignment: number;
  readonly arrayType: ElementType;
  readonly width: number;
  readonly base?: DType;
  readonly codec: Codec;
}

/** Functions of this package that access private fields. */
let internals: {
  readonly codecOf: (type: DType) => Codec;
  readonly bytesOf: (type: DType, value: unknown, name: string) => Uint8Array;
};

/**
 * The type of an element in memory, returned by `dtype("float32")`. The same type is always the same object, except for
 * structs, which must be compared with {@link DType.equals}.
 *
 * @example
 * ```ts
 * const view = new DataView(new ArrayBuffer(16));
 * dtype("float4").set(view, 0, [1, 2, 3, 4]);
 * ```
 */
export class DType {
  /** The NumPy name (`float32`), with the width for vectors (`float32x4`), or the name of a struct. */
  readonly name: string;
  /** The kind of type. */
  readonly kind: DTypeKind;
  /** The name in OpenCL C. Booleans are `uchar`, complex numbers are `float2` and `double2`. */
  readonly cName: string;
  /** Size of an element in bytes, including trailing padding: a vector of 3 is as large as one of 4. */
  readonly itemSize: number;
  /** Alignment of elements on a device, in bytes. */
  readonly alignment: number;
  /**
   * The typed array class of the scalars; `Uint8Array` for structs. For halves, a `Uint16Array` of their bits if the
   * engine has no `Float16Array`.
   */
  readonly arrayType: ElementType;
  /** Number of elements of {@link arrayType} per element: 4 for a vector of 3, 2 for a complex number. */
  readonly componentCount: number;
  /** Number of components of a vector's value: 3 for a vector of 3. 1 for all other types. */
  readonly width: number;
  /** The scalar type of a vector's components and of a complex number's parts; the type itself for all others. */
  readonly base: DType;
  readonly #codec: Codec;

  static {
    internals = {
      codecOf: (type: DType): Codec => type.#codec,
      bytesOf: (type: DType, value: unknown, name: string): Uint8Array => {
        const scalars: (number | bigint)[] = [];
        type.#codec.encode(value, name, scalars);
        const bytes = new Uint8Array(type.itemSize);
        type.#store(new DataView(bytes.buffer), 0, scalars);
        return bytes;
      },
    };
  }

  /** @internal */
  constructor(plan: DTypePlan) {
    this.name = plan.name;
    this.kind = plan.kind;
    this.cName = plan.cName;
    this.itemSize = plan.itemSize;
    this.alignment = plan.alignment;
    this.arrayType = plan.arrayType;
    this.componentCount = plan.itemSize / plan.arrayType.BYTES_PER_ELEMENT;
    this.width = plan.width;
    this.base = plan.base ?? this;
    this.#codec = plan.codec;
    // A struct freezes itself after setting its own properties.
    if (new.target === DType) Object.freeze(this);
  }

  /** Returns the value of the element at a byte offset. Throws if it is out of bounds. */
  get(view: DataView, byteOffset: number): DTypeValue {
    const codec = this.#codec;
    this.#checkBounds(view, byteOffset);
    return codec.read(view, byteOffset);
  }

  /**
   * Writes a value at a byte offset and sets padding to zero. Throws, without writing anything, if the type cannot
   * represent the value or the element is out of bounds.
   */
  set(view: DataView, byteOffset: number, value: DTypeValue): void {
    this.#checkBounds(view, byteOffset);
    const scalars: (number | bigint)[] = [];
    this.#codec.encode(value, "value", scalars);
    // Checked again, because getters of the value may have detached or resized the memory.
    this.#checkBounds(view, byteOffset);
    this.#store(view, byteOffset, scalars);
  }

  #store(view: DataView, at: number, scalars: readonly (number | bigint)[]): void {
    if (this.kind === "struct" || this.kind === "vector") {
      new Uint8Array(view.buffer, view.byteOffset + at, this.itemSize).fill(0);
    }
    this.#codec.write(view, at, scalars, 0);
  }

  #checkBounds(view: DataView, byteOffset: number): void {
    if (!(view instanceof DataView)) throw typeError("view", "a DataView", view);
    let bytes: number;
    try {
      bytes = view.byteLength;
    } catch {
      throw typeError("view", "a DataView whose memory is not detached", undefined);
    }
    checkInteger(byteOffset, "byteOffset");
    if (byteOffset + this.itemSize > bytes) {
      throw outOfRange(
        `byteOffset must leave ${this.itemSize} bytes for ${withArticle(this.name)} in the view of ${bytes} bytes, received ${byteOffset}`,
      );
    }
  }

  /** A string that is equal for equal types only, for use as a map key. */
  get key(): string {
    return this.name;
  }

  /** Returns whether both are the same type; structs are if their names and layouts are equal. */
  equals(other: unknown): boolean {
    return this === other || (other instanceof DType && other.key === this.key);
  }

  /** Returns the name. */
  toString(): string {
    return this.name;
  }

  /** @internal */
  [inspect.custom](): string {
    return `DType ${this.name}`;
  }
}

/** @internal Returns the codec of a type. */
export const codecOf: (type: DType) => Codec = internals.codecOf;
/** Returns the bytes of a value; `name` is for errors. */
export const bytesOf: (type: DType, value: unknown, name: string) => Uint8Array = internals.bytesOf;
