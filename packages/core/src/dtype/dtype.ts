/** Element types: what one element of memory is, how it is called, and how its values are read and written. */
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

/** A struct's value: a value for each field. */
export interface StructValue {
  readonly [field: string]: DTypeValue;
}

/**
 * A value of an element: a number, a bigint for integers of 64 bits, a boolean, an array of a vector's components or of a
 * field's elements, a complex number, or an object with a struct's fields.
 */
export type DTypeValue = number | bigint | boolean | Complex | StructValue | readonly DTypeValue[];

/** What sort of type it is. */
export type DTypeKind = "bool" | "int" | "uint" | "float" | "complex" | "vector" | "struct";

/** How values of a type are taken apart into scalars and put together again. */
export interface Codec {
  /** Checks a value and appends its scalars; `name` is for errors. */
  take(value: unknown, name: string, into: (number | bigint)[]): void;
  /** Stores what {@link take} gave, from `next` on, at a place that is inside the view; returns what is next after it. */
  write(view: DataView, at: number, scalars: readonly (number | bigint)[], next: number): number;
  /** The value at a place that is inside the view. */
  read(view: DataView, at: number): DTypeValue;
}

/** What a type is made from. */
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

/** Functions of this package that reach private fields. */
let inside: {
  readonly codecOf: (type: DType) => Codec;
  readonly bytesOf: (type: DType, value: unknown, name: string) => Uint8Array;
};

/**
 * The type of an element in memory. `dtype("float32")` gives them; two that are the same type are the same object,
 * except structs, which {@link DType.equals} compares.
 *
 * @example
 * ```ts
 * const view = new DataView(new ArrayBuffer(16));
 * dtype("float4").set(view, 0, [1, 2, 3, 4]);
 * ```
 */
export class DType {
  /** NumPy's name (`float32`), that of a vector with its width (`float32x4`), or a struct's own. */
  readonly name: string;
  /** What sort of type it is. */
  readonly kind: DTypeKind;
  /** Its name in OpenCL C. A boolean is a `uchar` there, complex numbers are `float2` and `double2`. */
  readonly cName: string;
  /** Bytes of an element, padding at its end counted in: a vector of 3 takes the room of one of 4. */
  readonly itemSize: number;
  /** What addresses of elements must be multiples of on a device. */
  readonly alignment: number;
  /** The typed array of its scalars; `Uint8Array` for structs. Halves are a `Uint16Array` of bits where an engine has no `Float16Array`. */
  readonly arrayType: ElementType;
  /** How many elements of {@link arrayType} one element takes: 4 for a vector of 3, 2 for a complex number. */
  readonly componentCount: number;
  /** Components of a vector's value: 3 for a vector of 3. 1 for all other types. */
  readonly width: number;
  /** The scalar type of a vector's components and of a complex number's parts; the type itself for all others. */
  readonly base: DType;
  readonly #codec: Codec;

  static {
    inside = {
      codecOf: (type: DType): Codec => type.#codec,
      bytesOf: (type: DType, value: unknown, name: string): Uint8Array => {
        const scalars: (number | bigint)[] = [];
        type.#codec.take(value, name, scalars);
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
    // A struct has more to say of itself.
    if (new.target === DType) Object.freeze(this);
  }

  /** The value of the element that starts at a byte of a view. */
  get(view: DataView, byteOffset: number): DTypeValue {
    const codec = this.#codec;
    this.#checkPlace(view, byteOffset);
    return codec.read(view, byteOffset);
  }

  /**
   * Stores a value in the element that starts at a byte of a view. A value that the type does not hold throws, and then
   * nothing has been written. Padding is set to zero.
   */
  set(view: DataView, byteOffset: number, value: DTypeValue): void {
    this.#checkPlace(view, byteOffset);
    const scalars: (number | bigint)[] = [];
    this.#codec.take(value, "value", scalars);
    // The value may have run code of its own, which may have done anything to the memory.
    this.#checkPlace(view, byteOffset);
    this.#store(view, byteOffset, scalars);
  }

  #store(view: DataView, at: number, scalars: readonly (number | bigint)[]): void {
    if (this.kind === "struct" || this.kind === "vector") {
      new Uint8Array(view.buffer, view.byteOffset + at, this.itemSize).fill(0);
    }
    this.#codec.write(view, at, scalars, 0);
  }

  #checkPlace(view: DataView, byteOffset: number): void {
    if (!(view instanceof DataView)) throw typeError("view", "a DataView", view);
    let bytes: number;
    try {
      bytes = view.byteLength;
    } catch {
      throw typeError("view", "a DataView whose memory is still there", undefined);
    }
    checkInteger(byteOffset, "byteOffset");
    if (byteOffset + this.itemSize > bytes) {
      throw outOfRange(
        `byteOffset is ${byteOffset}, but ${withArticle(this.name)} of ${this.itemSize} bytes from there goes beyond the view's ${bytes} bytes`,
      );
    }
  }

  /** A string that equal types share and others do not, as a key for maps. */
  get key(): string {
    return this.name;
  }

  /** True if both are the same type: for structs, if names and layouts are the same. */
  equals(other: unknown): boolean {
    return this === other || (other instanceof DType && other.key === this.key);
  }

  /** Its name. */
  toString(): string {
    return this.name;
  }

  /** @internal */
  [inspect.custom](): string {
    return `DType ${this.name}`;
  }
}

/** @internal How a type's values lie in memory. */
export const codecOf: (type: DType) => Codec = inside.codecOf;
/** @internal The bytes of a value; `name` is for errors. */
export const bytesOf: (type: DType, value: unknown, name: string) => Uint8Array = inside.bytesOf;
