/** Indices of nonzero elements. */
import { checkInteger, outOfRange } from "@cl/base";
import { runWhenBuilt } from "../lazy/run-when-built.js";
import type { FillValue } from "../types/dtype-name.js";
import { CountedMask } from "./counted-mask.js";
import type { AnyArray, ArrayRef } from "../storage/array-ref.js";

/** The places of an array's elements that are not 0, counted. */
export class NonzeroRead implements Disposable {
  readonly #counted: CountedMask;
  readonly #view: AnyArray;
  readonly #unlock: () => void;

  constructor(array: AnyArray) {
    if (array.ndim === 0) throw outOfRange("nonzero needs an array of at least one axis; use reshape([1])");
    this.#view = array.slice();
    try {
      this.#counted = new CountedMask(this.#view);
    } catch (error) {
      this.#view.release();
      throw error;
    }
    this.#unlock = this.#view.operand().storage.ordering.promise();
  }

  /** Resolves to the indices, a row for each axis. */
  async result(signal: AbortSignal | undefined): Promise<ArrayRef<"int64">> {
    const count = await this.#counted.total().value(signal);
    return runWhenBuilt(() => this.#write(count, undefined));
  }

  /** The same, blocking. */
  resultSync(): ArrayRef<"int64"> {
    return this.#write(this.#counted.total().valueSync(), undefined);
  }

  /** As many as are asked for. */
  resultOf(size: number, fill: FillValue<"int64"> = 0n): ArrayRef<"int64"> {
    return this.#write(checkInteger(size, "options.size"), fill);
  }

  [Symbol.dispose](): void {
    this.#counted[Symbol.dispose]();
    this.#unlock();
    this.#view.release();
  }

  #write(count: number, fill: FillValue<"int64"> | undefined): ArrayRef<"int64"> {
    const { xp } = this.#counted;
    const shape = [this.#view.ndim, count];
    const result = fill === undefined ? xp.empty(shape, { dtype: "int64" }) : xp.full(shape, fill, { dtype: "int64" });
    if (count > 0) this.#counted.write({ kind: "coordinates", target: result.operand() }, count);
    return result;
  }
}
