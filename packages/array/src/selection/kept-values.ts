/** Compaction of the elements for which a predicate is true. */
import { filled } from "../storage/filled.js";
import type { DTypeName, TypedDType, FillValue } from "../types/dtype-name.js";
import type { Parameter } from "../user-kernels/kernel-parameter.js";
import type { PredicateRead } from "./predicate-read.js";
import type { PredicateEmission } from "./predicate-source.js";
import type { ArrayRef } from "../storage/array-ref.js";

/** What is kept of a parameter's elements: all of them. */
export function keptValues<D extends DTypeName>(
  read: PredicateRead,
  item: Parameter,
  dtype: TypedDType<D>,
  count: number,
): ArrayRef<D> {
  return written(read, item, read.xp.empty([count], { dtype }));
}

/** As many as are asked for: what is missing is `fill`. */
export function sizedValues<D extends DTypeName>(
  read: PredicateRead,
  item: Parameter,
  dtype: TypedDType<D>,
  size: number,
  fill: FillValue<D> | undefined,
): ArrayRef<D> {
  const { xp } = read;
  return written(read, item, fill === undefined ? xp.zeros([size], { dtype }) : xp.full([size], fill, { dtype }));
}

/** Writes each element that is kept. */
export function valuesEmission(item: Parameter): PredicateEmission {
  return { parameters: [targetOf(item)], item, kept: stored(item, "at"), targets: { kept: "0" } };
}

/** The declaration of where they go. */
export function targetOf({ cType }: Parameter): string {
  return `__global ${cType} *const target_`;
}

/** The statement that stores the element there. */
export function stored({ cType }: Parameter, at: string): string {
  return cType === "half" ? `vstore_half_rte(item, ${at}, target_);` : `target_[${at}] = item;`;
}

function written<D extends DTypeName>(read: PredicateRead, item: Parameter, result: ArrayRef<D>): ArrayRef<D> {
  return filled(result, (target) => {
    if (target.size === 0) return;
    const { storage } = target.operand();
    read.write(valuesEmission(item), target.size, [storage.memory], [], [storage]);
  });
}
