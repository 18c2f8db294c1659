/** Products with few results and long sums: parts of the sums are computed in parallel and then added (split-K). */
import { sizeOf } from "@cl/base";
import { input } from "../../expression/expression.js";
import { reduceArray } from "../../reductions/reduce-array.js";
import { dotted } from "../../reductions/reducers/sums.js";
import { type DTypeName, typeNamed } from "../../types/dtype-name.js";
import type { Product } from "./product.js";
import type { ArraySource } from "../../storage/array-ref.js";

/** Minimum number of products of a part of a sum. */
const minDepth = 512;

/** Into how many parts sums of `k` products are divided, so that there are `wanted` groups where there are `groups` of them. */
export function splitsFor(groups: number, wanted: number, k: number): number {
  if (groups * 2 > wanted) return 1;
  return Math.max(1, Math.min(Math.floor(wanted / groups), Math.floor(k / minDepth)));
}

/** The element type of parts of sums: the result's, but halves are not rounded yet. */
export function partialType(result: DTypeName): DTypeName {
  return result === "float16" ? "float32" : result;
}

/** Makes parts of sums, and adds them; `run` enqueues what makes them, into a product's other result. */
export function multiplySplit(
  xp: ArraySource,
  product: Product,
  splits: number,
  run: (product: Product, depth: number, apart: number) => void,
): void {
  const { c, a } = product;
  const { shape } = c.layout;
  const dtype = partialType(c.dtype);
  const depth = Math.ceil((a.layout.shape.at(-1) as number) / splits / 16) * 16;
  using partial = xp.empty([splits, ...shape], { dtype });
  using first = partial.slice(0);
  run({ ...product, c: first.operand() }, depth, sizeOf(shape));
  using result = xp.wrap(c.storage, typeNamed(c.dtype), c.layout);
  const value = input(0, dtype);
  reduceArray({ reduction: dotted(dtype), value, inputs: [partial], dtype: c.dtype }, { axis: 0, out: result });
}
