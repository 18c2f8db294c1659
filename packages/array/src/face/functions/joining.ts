/** Concatenation and stacking of arrays, into new memory. */
import { checkList, checkOptions, outOfRange } from "@cl/base";
import type { DTypeName } from "../../types/dtype-name.js";
import type { PromotedDType } from "../../types/promoted-dtype.js";
import { assign } from "../../elementwise/assign.js";
import { withViews } from "../../storage/filled.js";
import type { AnyArray, ArrayRef } from "../../storage/array-ref.js";
import type { OutOptions } from "../../storage/operand-like.js";
import { Arrays, asDeviceArray, type DeviceArray } from "../../array/arrays.js";
import {
  checkArrays,
  concatenate,
  joined,
  type ConcatenateOptions,
  type JoinDTypeOptions,
  stack,
  type StackOptions,
} from "../../creation/join.js";
import { addComputations } from "../../array/add-methods.js";

/** Nested lists of arrays. */
export type BlockOf = AnyArray | readonly BlockOf[];

/** Functions that join arrays. */
class JoiningFunctions {
  /** Joins arrays along an existing axis; the other extents must be equal. */
  concatenate<D extends DTypeName>(
    this: Arrays,
    arrays: readonly AnyArray[],
    options: ConcatenateOptions & JoinDTypeOptions<D>,
  ): DeviceArray<D>;
  concatenate<const A extends readonly AnyArray[]>(
    this: Arrays,
    arrays: A,
    options?: ConcatenateOptions,
  ): DeviceArray<PromotedDType<A>>;
  concatenate(
    this: Arrays,
    arrays: readonly AnyArray[],
    options?: ConcatenateOptions & Partial<JoinDTypeOptions<DTypeName>>,
  ): DeviceArray {
    return asDeviceArray(concatenate(this, arrays, options));
  }

  /** Joins arrays of one shape along a new axis. */
  stack<D extends DTypeName>(
    this: Arrays,
    arrays: readonly AnyArray[],
    options: StackOptions & JoinDTypeOptions<D>,
  ): DeviceArray<D>;
  stack<const A extends readonly AnyArray[]>(
    this: Arrays,
    arrays: A,
    options?: StackOptions,
  ): DeviceArray<PromotedDType<A>>;
  stack(
    this: Arrays,
    arrays: readonly AnyArray[],
    options?: StackOptions & Partial<JoinDTypeOptions<DTypeName>>,
  ): DeviceArray {
    return asDeviceArray(stack(this, arrays, options));
  }

  /** Stacks arrays horizontally: along the second axis, or along the only one. */
  hstack<const A extends readonly AnyArray[]>(
    this: Arrays,
    arrays: A,
    options?: OutOptions,
  ): DeviceArray<PromotedDType<A>> {
    return along(this, arrays, options, (array) => (array.ndim === 0 ? array.reshape([1]) : array.slice()), 1);
  }

  /** Stacks arrays vertically; arrays of one axis become rows. */
  vstack<const A extends readonly AnyArray[]>(
    this: Arrays,
    arrays: A,
    options?: OutOptions,
  ): DeviceArray<PromotedDType<A>> {
    return along(this, arrays, options, (array) => (array.ndim < 2 ? array.reshape([1, -1]) : array.slice()), 0);
  }

  /** Stacks arrays depth-wise, along the third axis. */
  dstack<const A extends readonly AnyArray[]>(
    this: Arrays,
    arrays: A,
    options?: OutOptions,
  ): DeviceArray<PromotedDType<A>> {
    const deep = (array: DeviceArray): DeviceArray => {
      if (array.ndim < 2) return array.reshape([1, -1, 1]);
      return array.ndim === 2 ? array.expandDims(2) : array.slice();
    };
    return along(this, arrays, options, deep, 2);
  }

  /** Stacks arrays of one axis as columns of a matrix; matrices are stacked horizontally. */
  columnStack<const A extends readonly AnyArray[]>(
    this: Arrays,
    arrays: A,
    options?: OutOptions,
  ): DeviceArray<PromotedDType<A>> {
    return along(this, arrays, options, (array) => (array.ndim < 2 ? array.reshape([-1, 1]) : array.slice()), 1);
  }

  /**
   * Assembles an array from nested lists of blocks: the innermost lists are joined along the last axis, the next along
   * the second-to-last, and so on.
   */
  block(this: Arrays, blocks: BlockOf): DeviceArray {
    const list = checkArrays(this, arraysOf(blocks), "blocks");
    const depth = depthOf(blocks);
    const ndim = Math.max(depth, ...list.map((array) => array.ndim));
    const shapeOf = (block: BlockOf, axis: number): readonly number[] => {
      if (!Array.isArray(block)) {
        const { shape } = block as AnyArray;
        return [...Array.from({ length: ndim - shape.length }, () => 1), ...shape];
      }
      const shapes = (block as readonly BlockOf[]).map((one) => shapeOf(one, axis + 1));
      const first = shapes[0] as readonly number[];
      for (const shape of shapes) {
        if (shape.every((extent, k) => k === axis || extent === first[k])) continue;
        throw outOfRange(
          `blocks must have equal extents except along axis ${axis}, received shapes [${first.join()}] and [${shape.join()}]`,
        );
      }
      return first.with(
        axis,
        shapes.reduce((sum, shape) => sum + (shape[axis] as number), 0),
      );
    };
    const fill = (target: ArrayRef, block: BlockOf, axis: number): void => {
      if (!Array.isArray(block)) {
        assign(target, block as AnyArray);
        return;
      }
      const before = Array.from({ length: axis }, () => ":");
      let at = 0;
      for (const one of block as readonly BlockOf[]) {
        const end = at + (shapeOf(one, axis + 1)[axis] as number);
        using part = target.slice(...before, [at, end]);
        fill(part, one, axis + 1);
        at = end;
      }
    };
    const first = ndim - depth;
    return asDeviceArray(
      joined(this, list, shapeOf(blocks, first), {}, "block", (target) => fill(target, blocks, first)),
    );
  }

  /** Returns the array with values appended along an axis; without an axis, all elements of both, flattened. */
  append<A extends AnyArray, B extends AnyArray>(
    this: Arrays,
    array: A,
    values: B,
    options?: { readonly axis?: number },
  ): DeviceArray<PromotedDType<readonly [A, B]>> {
    const axis = checkOptions(options, ["axis"]).axis ?? null;
    return this.concatenate<readonly [A, B]>([array, values], { axis });
  }
}

declare module "../../array/arrays.js" {
  interface Arrays extends JoiningFunctions {}
}
addComputations(Arrays, JoiningFunctions);

function along<A extends readonly AnyArray[]>(
  xp: Arrays,
  arrays: A,
  options: OutOptions | undefined,
  shaped: (array: DeviceArray) => DeviceArray,
  axis: number,
): DeviceArray<PromotedDType<A>> {
  const place = checkOptions(options, ["out"]);
  return withViews(
    checkArrays(xp, arrays).map((array) => shaped(asDeviceArray(array))),
    (views) => {
      const lines = axis === 1 && views[0]?.ndim === 1;
      return concatenate(xp, views, { ...place, axis: lines ? 0 : axis }) as DeviceArray<PromotedDType<A>>;
    },
  );
}

function depthOf(block: BlockOf): number {
  if (!Array.isArray(block)) return 0;
  const depths = (block as readonly BlockOf[]).map(depthOf);
  const [first = 0] = depths;
  if (block.length === 0) throw outOfRange("blocks must not contain empty lists");
  if (depths.some((depth) => depth !== first)) {
    throw outOfRange("blocks must have all arrays at the same depth of nesting");
  }
  return first + 1;
}

function arraysOf(block: BlockOf): readonly AnyArray[] {
  if (!Array.isArray(block)) return [block as AnyArray];
  return (checkList(block, "blocks", "a list of blocks") as readonly BlockOf[]).flatMap(arraysOf);
}
