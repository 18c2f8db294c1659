/**
 * Masks as indices. The number of true elements determines the shape of the result, so the host either waits for the
 * count, or receives a size from the caller. Between counting and reading, the inputs must not change: stores to them
 * throw.
 */
import { checkInteger, outOfRange } from "@cl/base";
import { runWhenBuilt } from "../lazy/run-when-built.js";
import { checkArray, isArray } from "../storage/check-array.js";
import type { DTypeName, FillValue } from "../types/dtype-name.js";
import { CountedMask } from "./counted-mask.js";
import type { Operand } from "../storage/operand.js";
import { gather } from "./gather.js";
import { isSmallMask, SmallSelection } from "./small-mask.js";
import { UncountedSelection } from "./uncounted-selection.js";
import type { SizeOptions } from "./index-types.js";
import { checkMaskShape, parseIndices, type Positions } from "./parse-indices.js";
import type { AnyArray, ArrayRef } from "../storage/array-ref.js";

/** An array of booleans on the device. */
export function isMask(value: unknown): value is AnyArray {
  return isArray(value) && value.dtype.name === "bool";
}

/** Resolves to the elements that indices with masks select. */
export async function readMasked<D extends DTypeName>(
  array: ArrayRef<D>,
  indices: readonly unknown[],
  signal: AbortSignal | undefined,
): Promise<ArrayRef<D>> {
  signal?.throwIfAborted();
  using read = readOf(array, indices);
  return await read.result(signal);
}

/** Returns the elements that indices with masks select; blocks. */
export function readMaskedSync<D extends DTypeName>(array: ArrayRef<D>, indices: readonly unknown[]): ArrayRef<D> {
  using read = readOf(array, indices);
  return read.resultSync();
}

function readOf<D extends DTypeName>(
  array: ArrayRef<D>,
  indices: readonly unknown[],
): MaskedRead<D> | SmallSelection<D> | UncountedSelection<D> {
  const [only] = indices;
  if (indices.length === 1 && isMask(only) && isMaskOf(array, only)) {
    if (isSmallMask(array, only)) return new SmallSelection(array, only);
    const selection = UncountedSelection.of(array, only);
    if (selection !== undefined) return selection;
  }
  return new MaskedRead(array, indices);
}

/** Returns whether a mask has the shape of an array, with elements. */
function isMaskOf(array: AnyArray, mask: AnyArray): boolean {
  return (
    array.size > 0 &&
    array.ndim === mask.ndim &&
    array.shape.every((extent, axis) => extent === mask.shape[axis]) &&
    mask.xp === array.xp
  );
}

/** The elements that indices with masks select, before the masks are counted. */
export class MaskedRead<D extends DTypeName> implements Disposable {
  readonly #array: ArrayRef<D>;
  readonly #indices: readonly unknown[];
  readonly #counted: ReadonlyMap<AnyArray, CountedMask>;
  /** Views of all that is read, so that it is there even if it is released meanwhile. */
  readonly #views: readonly AnyArray[];
  readonly #unlock: readonly (() => void)[];

  /** Checks the indices and enqueues the counts. */
  constructor(array: ArrayRef<D>, indices: readonly unknown[]) {
    const given = [...new Set(indices.filter((index) => isMask(index)))];
    for (const mask of given) checkArray(mask, array.xp, `indices[${indices.indexOf(mask)}]`);
    checkOthers(array, indices, given);
    this.#array = array.slice();
    const views = new Map(
      indices.filter((index) => isArray(index)).map((index): [unknown, AnyArray] => [index, index.slice()]),
    );
    this.#indices = indices.map((index) => views.get(index) ?? index);
    this.#views = [this.#array, ...views.values()];
    try {
      const masks = given.map((mask) => views.get(mask) as AnyArray);
      const isWhole = masks[0] !== undefined && isWholeMask(array, indices, masks[0]);
      this.#counted = countAll(masks, isWhole ? this.#array.operand() : undefined);
    } catch (error) {
      for (const view of this.#views) view.release();
      throw error;
    }
    this.#unlock = this.#views.map((view) => view.operand().storage.ordering.promise());
  }

  /** Resolves to the elements. */
  async result(signal: AbortSignal | undefined): Promise<ArrayRef<D>> {
    const counted = [...this.#counted.values()];
    const totals = await Promise.all(counted.map((mask) => mask.total().value(signal)));
    return runWhenBuilt(() => this.#read(totals, false, undefined));
  }

  /** Returns the elements; blocks. */
  resultSync(): ArrayRef<D> {
    return this.#read(
      [...this.#counted.values()].map((mask) => mask.total().valueSync()),
      false,
      undefined,
    );
  }

  /** Returns a given number of elements. */
  resultOf({ size, fill }: SizeOptions<D>): ArrayRef<D> {
    checkInteger(size, "options.size");
    if ([...this.#counted.keys()].some(({ ndim }) => ndim === 0)) {
      throw outOfRange("options.size needs a mask with at least one axis");
    }
    return this.#read(
      [...this.#counted.values()].map(() => size),
      true,
      fill,
    );
  }

  [Symbol.dispose](): void {
    for (const mask of this.#counted.values()) mask[Symbol.dispose]();
    for (const unlock of this.#unlock) unlock();
    for (const view of this.#views) view.release();
  }

  #read(totals: readonly number[], missing: boolean, fill: FillValue<D> | undefined): ArrayRef<D> {
    const array = this.#array;
    const [only] = this.#counted.values();
    if (only !== undefined && isWholeMask(array, this.#indices, only)) {
      return elements(array, only, totals[0] as number, missing, fill);
    }
    const positions = new Map<AnyArray, Positions>();
    using filling = missing ? fillingOf(array, fill) : undefined;
    try {
      for (const [i, [mask, counted]] of [...this.#counted].entries()) {
        positions.set(mask, positionsOf(counted, totals[i] as number, missing));
      }
      return readAt(array, this.#indices, positions, filling);
    } finally {
      for (const { array: made } of positions.values()) made.release();
    }
  }
}

/** Returns whether a mask, which is one of the indices, is the only one and selects elements of the array. */
function isWholeMask({ ndim }: AnyArray, indices: readonly unknown[], { shape }: Pick<AnyArray, "shape">): boolean {
  return indices.length === 1 && shape.length === ndim && ndim > 0;
}

/** What indices name, with masks as positions. */
export function readAt<D extends DTypeName>(
  array: ArrayRef<D>,
  indices: readonly unknown[],
  positions: ReadonlyMap<AnyArray, Positions>,
  fill?: AnyArray,
): ArrayRef<D> {
  const selection = parseIndices(array, indices, positions);
  try {
    return gather(array, selection, fill);
  } finally {
    for (const one of selection.temporary) one.release();
  }
}

/**
 * Returns the positions of the true elements. Missing ones are -1; so are all, if `exact` and their number is not
 * `count`.
 */
export function positionsOf(counted: CountedMask, count: number, missing: boolean, exact = false): Positions {
  const { xp } = counted;
  const dtype = counted.positionType;
  const none = dtype === "int64" ? -1n : -1;
  const array = missing ? xp.full([count], none, { dtype }) : xp.empty([count], { dtype });
  if (count > 0 || exact) counted.write({ kind: "positions", target: array.operand(), exact }, count);
  return { array, mask: counted.shape, mode: missing ? "missing" : "trusted" };
}

/** Elements where a mask of the array's shape is true. */
function elements<D extends DTypeName>(
  array: ArrayRef<D>,
  counted: CountedMask,
  count: number,
  missing: boolean,
  fill: FillValue<D> | undefined,
): ArrayRef<D> {
  const { xp, dtype } = array;
  const result: ArrayRef<D> = missing
    ? fill === undefined
      ? xp.zeros([count], { dtype })
      : xp.full([count], fill, { dtype })
    : xp.empty([count], { dtype });
  if (count > 0) counted.write({ kind: "values", source: array.operand(), target: result.operand() }, count);
  return result;
}

function fillingOf<D extends DTypeName>({ xp, dtype }: ArrayRef<D>, fill: FillValue<D> | undefined): ArrayRef<D> {
  return fill === undefined ? xp.zeros([], { dtype }) : xp.full([], fill, { dtype });
}

/** Counts each of them; those before one that fails are given back. `source` has the elements that one mask selects. */
function countAll(masks: readonly AnyArray[], source: Operand | undefined): ReadonlyMap<AnyArray, CountedMask> {
  const counted = new Map<AnyArray, CountedMask>();
  try {
    for (const mask of masks) counted.set(mask, new CountedMask(mask, { source }));
  } catch (error) {
    for (const one of counted.values()) one[Symbol.dispose]();
    throw error;
  }
  return counted;
}

/** Everything but the counts is checked before anything is enqueued: any positions do for that. */
function checkOthers(array: AnyArray, indices: readonly unknown[], masks: readonly AnyArray[]): void {
  if (indices.length === 1 && masks.length === 1) {
    checkMaskShape((masks[0] as AnyArray).shape, array.shape, 0);
    return;
  }
  using any = array.xp.empty([1], { dtype: "int32" });
  const positions = masks.map((mask): [AnyArray, Positions] => [
    mask,
    { array: any, mask: mask.shape, mode: "trusted" },
  ]);
  for (const one of parseIndices(array, indices, new Map(positions)).temporary) one.release();
}
