/** Random numbers that take one or more blocks each, and whose parameters may be arrays. */
import { outOfRange, rangeError, typeError, wrongType } from "@cl/base";
import { hasParallelWorkItems, loopWorkItemCount } from "@cl/characterize";
import type { LaunchSizes } from "@cl/core";
import { assign } from "../elementwise/assign.js";
import { checkArray, isArray } from "../storage/check-array.js";
import { filled, withViews } from "../storage/filled.js";
import { exactOptions } from "../kernels/exact-options.js";
import { kernelOf } from "../kernels/kernel-cache.js";
import { launchOrdered, wholeGroups } from "../kernels/launch.js";
import type { Storage } from "../storage/storage.js";
import { typeNamed } from "../types/dtype-name.js";
import { kindOf } from "../types/promote.js";
import { type ElementDistribution, elementSource } from "./element-source.js";
import { type StreamPlace, streamArgument } from "./fill.js";
import type { AnyArray, ArrayRef, ArraySource } from "../storage/array-ref.js";

/** What a kernel gets beyond the stream. */
interface Extra {
  readonly args: readonly unknown[];
  readonly reads: readonly Storage[];
}

/** Checks a parameter: a number, or real numbers that are broadcast to the shape. */
export function checkParameter(
  value: unknown,
  xp: ArraySource,
  shape: readonly number[],
  name: string,
  max: number = Infinity,
): number | AnyArray {
  if (typeof value === "number") {
    if (value >= 0 && value <= max && Number.isFinite(value)) return value;
    throw rangeError(name, max === Infinity ? "a finite number of at least 0" : `a number from 0 to ${max}`, value);
  }
  if (!isArray(value)) throw typeError(name, "a number or a DeviceArray", value);
  const array = checkArray(value, xp, name);
  if (kindOf(array.dtype.name) > 3) throw wrongType(`${name} must be real, received ${array.dtype.name}`);
  const added = shape.length - array.ndim;
  if (added >= 0 && array.shape.every((extent, axis) => extent === 1 || extent === shape[axis + added])) return array;
  throw outOfRange(`${name} must be broadcastable to the shape [${shape.join()}], received [${array.shape.join()}]`);
}

/** Fills an array from a block on; where parameters are not numbers that could be, elements are NaN, integers 0. */
export function fillElements(
  target: AnyArray,
  place: StreamPlace,
  distribution: Exclude<ElementDistribution, "weighted">,
  parameters: readonly [number | AnyArray, number | AnyArray],
): void {
  if (target.size === 0) return;
  const arrays = parameters.map((one) => (typeof one === "number" ? undefined : asDoubles(one, target)));
  const storages = arrays.map((array) => array?.operand().storage);
  const args = storages.flatMap((storage, k): readonly unknown[] =>
    storage === undefined ? [null, 0n, parameters[k]] : [storage.memory, 1n, 0],
  );
  withViews(
    arrays.filter((array) => array !== undefined),
    () => {
      run(target, place, distribution, { args, reads: storages.filter((storage) => storage !== undefined) });
    },
  );
}

/** Fills an array of int64 with indices that are as frequent as their weights. */
export function fillWeighted(target: ArrayRef<"int64">, place: StreamPlace, sums: ArrayRef<"uint64">): void {
  if (target.size === 0) return;
  const { storage } = sums.operand();
  run(target, place, "weighted", { args: [storage.memory, BigInt(sums.size)], reads: [storage] });
}

function run(target: AnyArray, place: StreamPlace, distribution: ElementDistribution, extra: Extra): void {
  if (!target.isContiguous) {
    using whole = target.xp.empty(target.shape, { dtype: target.dtype });
    run(whole, place, distribution, extra);
    assign(target, whole);
    return;
  }
  const { queue } = target.xp;
  const { dtype, storage, layout } = target.operand();
  const { generator } = place;
  const loops = !hasParallelWorkItems(queue.device);
  const kernel = kernelOf(
    queue.context,
    `random ${generator} ${distribution} ${dtype} ${loops}`,
    "fill_each",
    () => elementSource(generator, distribution, dtype, loops),
    () => exactOptions(queue.context),
  );
  const { size } = target;
  const base = layout.offset / typeNamed(dtype).itemSize;
  const stream = streamArgument(place, { base, skip: 0, end: size, blocks: size, aligned: false, count: 1 });
  const parts = Math.min(loopWorkItemCount(queue.device), Math.ceil(size / 64));
  const sizes: LaunchSizes = loops ? { global: parts, local: 1 } : wholeGroups(queue.device, size);
  launchOrdered(queue, kernel, sizes, [storage.memory, stream, ...extra.args], extra.reads, [storage]);
}

/** Returns the parameter as contiguous float64, broadcast to the target's shape. */
export function asDoubles(parameter: AnyArray, { xp, shape }: Pick<AnyArray, "xp" | "shape">): AnyArray {
  return filled(xp.empty(shape), (result) => {
    assign(result, parameter, "unsafe");
  });
}
