/** What every array is: elements of one type over storage, by extents and distances, until it is released. */
import { inspect } from "node:util";

import { isContiguous, type Layout } from "@cl/base";
import { DisposedError } from "@cl/core";
import type { Operand } from "../kernels/operand.js";
import { ArrayLayout } from "../storage/array-layout.js";
import type { Storage } from "../storage/storage.js";
import type { DTypeName, TypedDType } from "../types/dtype-name.js";
import type { Arrays } from "./arrays.js";
import type { DeviceArray } from "./device-array.js";

/** The part of a `DeviceArray` that says what and where its elements are. */
export abstract class ArrayBase<D extends DTypeName = DTypeName> {
  /** What made it: the queue of its commands, and where memory comes from. */
  readonly xp: Arrays;
  /** What the elements are. */
  readonly dtype: TypedDType<D>;
  /** How many elements there are. */
  readonly size: number;
  /** True if changes are refused: the same memory is shown several times. */
  readonly readonly: boolean;
  /** @internal True if the elements lie side by side in C order from where the memory begins. */
  readonly isDense: boolean;
  readonly #operand: Operand;
  #released = false;

  /** @internal */
  constructor(xp: Arrays, storage: Storage, dtype: TypedDType<D>, layout: Layout, readonly = false) {
    this.xp = xp;
    this.dtype = dtype;
    this.readonly = readonly;
    const own = ArrayLayout.of(layout, dtype.itemSize);
    this.size = own.size;
    this.isDense = own.isDense;
    this.#operand = { storage, dtype: dtype.name, layout: own };
    storage.hold();
  }

  /** The extents. */
  get shape(): readonly number[] {
    return this.#operand.layout.shape;
  }

  /** Bytes from neighbour to neighbour along each axis. */
  get strides(): readonly number[] {
    return this.#operand.layout.strides;
  }

  /** Where the first element starts, in bytes of the memory. */
  get offset(): number {
    return this.#operand.layout.offset;
  }

  /** How many axes there are. */
  get ndim(): number {
    return this.shape.length;
  }

  /** Bytes of one element. */
  get itemSize(): number {
    return this.dtype.itemSize;
  }

  /** Bytes of all elements, without gaps. */
  get nbytes(): number {
    return this.size * this.itemSize;
  }

  /** True if the elements lie side by side in C order. */
  get isContiguous(): boolean {
    return isContiguous(this.#operand.layout, this.itemSize);
  }

  /** One line that says what it is; `format()` has the values, which must come from the device. */
  toString(): string {
    return `DeviceArray { ${this.dtype.name} [${this.shape.join(", ")}] }`;
  }

  /** @internal */
  [inspect.custom](): string {
    return this.toString();
  }

  /** True once it was released. */
  get released(): boolean {
    return this.#released;
  }

  /** Gives the memory back once all views of it are released; what is dropped is given back by itself, later. */
  release(): void {
    if (this.#released) return;
    this.#released = true;
    this.#operand.storage.letGo();
  }

  /** The same as {@link release}, for `using`. */
  [Symbol.dispose](): void {
    this.release();
  }

  /** @internal What kernels and transfers are told. */
  operand(): Operand {
    if (this.#released) throw new DisposedError(String(this));
    return this.#operand;
  }

  /** @internal An array of the same memory; read-only if this one is. */
  abstract view<E extends DTypeName>(dtype: TypedDType<E>, layout: Layout, readonly?: boolean): DeviceArray<E>;
}
