/** The attributes of an array: dtype, shape, strides and offset over shared storage, and its release. */
import { isContiguous, type Layout, wrongState } from "@cl/base";
import { DisposedError } from "@cl/core";
import { ArrayLayout } from "../storage/array-layout.js";
import type { ArraySource } from "../storage/array-ref.js";
import type { Operand } from "../storage/operand.js";
import type { Storage } from "../storage/storage.js";
import type { DTypeName, TypedDType } from "../types/dtype-name.js";
import { arrayScopes, heldArrays } from "./array-scope.js";

/** The part of a `DeviceArray` with its attributes and lifetime. */
export abstract class ArrayBase<D extends DTypeName = DTypeName> {
  /** The factory that made it: the queue of its commands and its allocator. */
  readonly xp: ArraySource;
  /** The element type. */
  readonly dtype: TypedDType<D>;
  /** The number of elements. */
  readonly size: number;
  /** Whether writing is refused because several elements share memory, as in broadcast views. */
  readonly readonly: boolean;
  /** @internal Whether the elements are contiguous in C order from the start of the memory. */
  readonly isDense: boolean;
  readonly #operand: Operand;
  #released = false;

  /** @internal */
  constructor(xp: ArraySource, storage: Storage, dtype: TypedDType<D>, layout: Layout, readonly = false) {
    this.xp = xp;
    this.dtype = dtype;
    this.readonly = readonly;
    const own = ArrayLayout.of(layout, dtype.itemSize);
    this.size = own.size;
    this.isDense = own.isDense;
    this.#operand = { storage, dtype: dtype.name, layout: own };
    storage.retain();
    arrayScopes.current(xp.allocator)?.add(this);
  }

  /** The extent of each axis. */
  get shape(): readonly number[] {
    return this.#operand.layout.shape;
  }

  /** Bytes between consecutive elements along each axis. */
  get strides(): readonly number[] {
    return this.#operand.layout.strides;
  }

  /** Byte offset of the first element in the memory. */
  get offset(): number {
    return this.#operand.layout.offset;
  }

  /** The number of axes. */
  get ndim(): number {
    return this.shape.length;
  }

  /** The size of one element in bytes. */
  get itemSize(): number {
    return this.dtype.itemSize;
  }

  /** The total size of the elements in bytes, without gaps. */
  get nbytes(): number {
    return this.size * this.itemSize;
  }

  /** Whether the elements are contiguous in C order. */
  get isContiguous(): boolean {
    return isContiguous(this.#operand.layout, this.itemSize);
  }

  /** Returns a one-line description without values; `format()` reads them from the device. */
  toString(): string {
    return `DeviceArray { ${this.dtype.name} [${this.shape.join(", ")}] }`;
  }

  /** Throws for JavaScript's operators and `Number(array)`: they would give NaN, since elements are on the device. */
  [Symbol.toPrimitive](hint: "number" | "string" | "default"): string {
    if (hint === "string") return this.toString();
    throw wrongState(`${this.toString()} cannot be converted to a number; use methods such as add(), or await item()`);
  }

  /** Whether the array has been released. */
  get released(): boolean {
    return this.#released;
  }

  /**
   * Releases the array. Its memory is freed once all views of it are released. Arrays that become unreachable are
   * released by the garbage collector, later.
   */
  release(): void {
    if (this.#released) return;
    this.#released = true;
    this.#operand.storage.release();
  }

  /** Alias of {@link release}, for `using`. */
  [Symbol.dispose](): void {
    this.release();
  }

  /** @internal */
  [heldArrays](): readonly [this] {
    return [this];
  }

  /** @internal The operand that kernels and transfers work with. */
  operand(): Operand {
    if (this.#released) throw new DisposedError(String(this));
    return this.#operand;
  }
}
