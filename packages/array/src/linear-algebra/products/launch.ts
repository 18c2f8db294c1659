/** One launch of a product: its memory, its parameters, and its kernel arguments. */
import type { LaunchSizes } from "@cl/core";
import type { GeneratedKernel } from "../../kernels/generated-program.js";
import { launchOrdered } from "../../kernels/launch.js";
import type { ArraySource } from "../../storage/array-ref.js";
import type { Storage } from "../../storage/storage.js";
import { type Geometry, padded, type Place } from "./product.js";
import type { ProductTypes } from "./product-source.js";

/** Memory and numbers of one launch. */
export interface Launch {
  readonly xp: ArraySource;
  readonly types: ProductTypes;
  readonly geometry: Geometry;
  readonly a: Storage;
  readonly b: Storage;
  readonly c: Storage;
  readonly alpha: number;
  readonly beta: number;
}

/** A launch without its memory: it is the same for all matrices of the same layouts. */
export interface ProductPlan {
  readonly kernel: GeneratedKernel;
  readonly sizes: LaunchSizes;
  /** The arguments after the three matrices. */
  readonly numbers: readonly unknown[];
}

/** Launches a kernel that reads two matrices and stores a third one. */
export function launchProduct(
  { queue }: ArraySource,
  { kernel, sizes, numbers }: ProductPlan,
  { a, b, c }: Pick<Launch, "a" | "b" | "c">,
): void {
  launchOrdered(queue, kernel, sizes, [a.memory, b.memory, c.memory, ...numbers], [a, b], [c]);
}

/** The numbers of a product as its kernels get them. */
export function productArgument(geometry: Geometry, splits = 1, depth: number = geometry.k, apart = 0): BigInt64Array {
  const { m, n, k, extents, a, b, c } = geometry;
  const place = ({ offset, row, column, batch }: Place): readonly number[] => [
    offset,
    row,
    column,
    ...padded(batch, 0),
  ];
  const numbers = [m, n, k, ...padded(extents, 1), ...place(a), ...place(b), ...place(c), splits, depth, apart];
  return BigInt64Array.from(numbers, BigInt);
}

/** What sums are multiplied with, in the type of their parts. */
export function factors({ types: { sum }, alpha, beta }: Launch): readonly (number | bigint)[] {
  return [alpha, beta].map((one) => (sum === "uint64" ? BigInt(one) : one));
}
