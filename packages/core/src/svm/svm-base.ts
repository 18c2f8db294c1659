/** Base class of shared virtual memory (SVM): address, size and element type. */
import type { Context } from "../platform/context.js";
import { type Handle, native } from "../binding/native.js";
import { handleOf, Resource } from "../binding/resource.js";
import { elementCodes, type ElementType } from "../dtype/host-array.js";
import type { SvmKind } from "../platform/svm-support.js";
import type { TypedArray } from "../typed/index.js";

/**
 * Registry of the public SVM class, which depends on modules that use this one and adds itself by declaration merging.
 */
export interface SvmClass {}

/** `SvmPointer`, for public types in modules below it. */
export type PublicSvm = SvmClass[keyof SvmClass];

/** @internal Method called with each new part of the memory. */
export const ownsPart: unique symbol = Symbol("ownsPart");

/** Reads a private field. */
let readCode: (svm: SvmBase) => number;

/** Base class of `SvmPointer`. */
export abstract class SvmBase<T extends TypedArray = TypedArray> extends Resource {
  readonly #context: Context;
  readonly #size: number;
  readonly #byteOffset: number;
  readonly #type: ElementType<T> | undefined;
  readonly #kind: SvmKind;
  readonly #code: number;

  static {
    readCode = (svm: SvmBase): number => svm.#code;
  }

  /** @internal `owned` is false for a part, which uses the handle of its allocation. */
  constructor(
    handle: Handle,
    context: Context,
    kind: SvmKind,
    size: number,
    byteOffset: number,
    type: ElementType<T> | undefined,
    label: string | undefined,
    owned: boolean,
  ) {
    super(handle, label, owned);
    this.#context = context;
    this.#kind = kind;
    this.#size = size;
    this.#byteOffset = byteOffset;
    this.#type = type;
    this.#code = type === undefined ? 0 : (elementCodes.get(type) ?? 0);
  }

  /** The context. */
  get context(): Context {
    return this.#context;
  }

  /** Kind of SVM. */
  get kind(): SvmKind {
    return this.#kind;
  }

  /** Size in bytes. */
  get size(): number {
    return this.#size;
  }

  /** Offset in the allocation, in bytes; 0 unless this is a part. */
  get byteOffset(): number {
    return this.#byteOffset;
  }

  /** Typed array class of the elements; `undefined` for untyped memory. */
  get type(): ElementType<T> | undefined {
    return this.#type;
  }

  /** Address on the host and the devices; 0 for empty memory. */
  override get pointer(): bigint {
    const start = native.pointerOf(handleOf(this));
    return start === 0n ? start : start + BigInt(this.#byteOffset);
  }

  /** @internal Called with each new part; overridden by memory whose handle outlives it. */
  [ownsPart](_part: SvmBase): void {
    // Parts use the handle of the allocation and become invalid with it.
  }

  protected override summary(): string {
    const elements =
      this.#type === undefined
        ? ""
        : `${this.#type.prototype.constructor.name} × ${this.#size / this.#type.BYTES_PER_ELEMENT}, `;
    return `${elements}${this.#size} bytes, ${this.#kind}`;
  }
}

/** @internal Returns the code of the memory's element type in `elementCodes`; 0 if it is untyped. */
export const svmElementCode: (svm: SvmBase) => number = readCode;
