/** The lower half of shared virtual memory: where it is, and what all that works on it needs to know. */
import type { Context } from "../platform/context.js";
import { type Handle, native } from "../binding/native.js";
import { handleOf, Resource } from "../binding/resource.js";
import { elementCodes, type ElementType } from "../dtype/host-array.js";
import type { SvmKind } from "../platform/svm-support.js";
import type { TypedArray } from "../typed/index.js";

/** The class that users know, {@link PublicSvm}. It has methods that map and divide memory, so it is above them, and adds itself here. */
export interface SvmClass {}

/** `SvmPointer`, for what the files below its own give to users. */
export type PublicSvm = SvmClass[keyof SvmClass];

/** @internal The method by which memory hears of its parts. */
export const ownsPart: unique symbol = Symbol("ownsPart");

/** Reaches a private field. */
let readCode: (svm: SvmBase) => number;

/** What `SvmPointer` is made on. */
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

  /** @internal `owned` is false for a part, whose handle is the whole's. */
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

  /** The context it belongs to. */
  get context(): Context {
    return this.#context;
  }

  /** How closely the host shares it. */
  get kind(): SvmKind {
    return this.#kind;
  }

  /** Its bytes. */
  get size(): number {
    return this.#size;
  }

  /** Where it starts in the allocation that it is a part of; 0 if it is none. */
  get byteOffset(): number {
    return this.#byteOffset;
  }

  /** The typed array that holds its elements; undefined for plain bytes. */
  get type(): ElementType<T> | undefined {
    return this.#type;
  }

  /** Its address, on the host and on the devices; 0 if it is empty. */
  override get pointer(): bigint {
    const start = native.pointerOf(handleOf(this));
    return start === 0n ? start : start + BigInt(this.#byteOffset);
  }

  /** @internal Told of each part of it; for what ends while its handle lives on. */
  [ownsPart](_part: SvmBase): void {
    // Parts have the whole's handle, and end with that.
  }

  protected override summary(): string {
    const elements =
      this.#type === undefined
        ? ""
        : `${this.#type.prototype.constructor.name} × ${this.#size / this.#type.BYTES_PER_ELEMENT}, `;
    return `${elements}${this.#size} bytes, ${this.#kind}`;
  }
}

/** @internal The number of the memory's element type in `elementCodes`; 0 if it has none. */
export const svmElementCode: (svm: SvmBase) => number = readCode;
