/** Multinomial counts, in rows along the last axis. */
import { assign } from "../elementwise/assign.js";
import { exactOptions } from "../kernels/exact-options.js";
import { kernelOf } from "../kernels/kernel-cache.js";
import { launchOrdered, wholeGroups } from "../kernels/launch.js";
import type { AnyArray } from "../storage/array-ref.js";
import { typeNamed } from "../types/dtype-name.js";
import { asDoubles } from "./fill-elements.js";
import { type StreamPlace, streamArgument } from "./fill.js";
import { multinomialSource } from "./multinomial-source.js";

/** Fills an array, one block of the stream for each count. `n` is a number, or an array of one for each row. */
export function fillMultinomial(
  target: AnyArray,
  place: StreamPlace,
  n: number | AnyArray,
  probabilities: Float64Array,
): void {
  if (target.size === 0) return;
  const { xp, shape } = target;
  if (!target.isContiguous) {
    using whole = xp.empty(shape, { dtype: target.dtype });
    fillMultinomial(whole, place, n, probabilities);
    assign(target, whole);
    return;
  }
  const { queue } = xp;
  const { dtype, storage, layout } = target.operand();
  const kinds = shape.at(-1) as number;
  const rows = target.size / kinds;
  using chances = xp.fromHost(chancesOf(probabilities));
  using counts = typeof n === "number" ? undefined : asDoubles(n, { xp, shape: shape.slice(0, -1) });
  const { generator } = place;
  const kernel = kernelOf(
    queue.context,
    `random ${generator} multinomial ${dtype}`,
    "fill_rows",
    () => multinomialSource(generator, dtype),
    () => exactOptions(queue.context),
  );
  const base = layout.offset / typeNamed(dtype).itemSize;
  const parts = { base, skip: 0, end: rows, blocks: target.size, aligned: false, count: 1 };
  const own = counts?.operand().storage;
  const given = own === undefined ? [null, 0n, n] : [own.memory, 1n, 0];
  const { storage: read } = chances.operand();
  launchOrdered(
    queue,
    kernel,
    wholeGroups(queue.device, rows),
    [storage.memory, streamArgument(place, parts), ...given, read.memory, kinds],
    own === undefined ? [read] : [own, read],
    [storage],
  );
}

/** Returns the probability of each kind given that no earlier kind was drawn; that of the last possible kind is exactly 1. */
function chancesOf(probabilities: Float64Array): Float64Array<ArrayBuffer> {
  const last = probabilities.findLastIndex((one) => one > 0);
  let rest = 1;
  return Float64Array.from(probabilities, (one, k) => {
    const chance = k === last ? 1 : Math.min(1, Math.max(0, one / rest));
    rest -= one;
    return k > last ? 0 : chance;
  });
}
