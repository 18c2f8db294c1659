/** Concatenation and stacking of arrays, into new memory. */
import { checkList, checkOptions, outOfRange } from "@cl/base";
import { checkArrayType, type DTypeName, type TypedDType } from "../types/dtype-name.js";
import type { PromotedDType } from "../types/promoted-dtype.js";
import { promote } from "../types/promote.js";
import type { AnyArray } from "./any-array.js";
import type { OutOptions } from "./array-operators.js";
import { ArraysComparisons } from "./arrays-comparisons.js";
import { assign } from "./assign.js";
import { checkArray, checkOut } from "./check-array.js";
import { checkAxis } from "./check-axes.js";
import type { DeviceArray } from "./device-array.js";
import { filled, withViews } from "./filled.js";

/** The dtype of joined arrays; without it, the promoted dtype of all arrays. */
export interface JoinDTypeOptions<D extends DTypeName> {
  /** Dtype of the result; values are converted as by `astype`. */
  readonly dtype: D | TypedDType<D>;
}

/** Options of `stack`. */
export interface StackOptions extends OutOptions {
  /**
   * Position of the new axis in the result.
   * @defaultValue 0
   */
  readonly axis?: number;
}

/** Options of `concatenate`. */
export interface ConcatenateOptions extends OutOptions {
  /**
   * The axis to join along; `null` flattens the arrays first.
   * @defaultValue 0
   */
  readonly axis?: number | null;
}

/** Nested lists of arrays. */
export type BlockOf = AnyArray | readonly BlockOf[];

/** The part of `Arrays` that joins arrays. */
export abstract class ArraysJoining extends ArraysComparisons {
  /** Joins arrays along an existing axis; the other extents must be equal. */
  concatenate<D extends DTypeName>(
    arrays: readonly AnyArray[],
    options: ConcatenateOptions & JoinDTypeOptions<D>,
  ): DeviceArray<D>;
  concatenate<const A extends readonly AnyArray[]>(
    arrays: A,
    options?: ConcatenateOptions,
  ): DeviceArray<PromotedDType<A>>;
  concatenate(
    arrays: readonly AnyArray[],
    options?: ConcatenateOptions & Partial<JoinDTypeOptions<DTypeName>>,
  ): DeviceArray {
    const list = this.#checkArrays(arrays);
    const { axis = 0, ...place } = checkOptions(options, ["axis", "out", "dtype"]);
    if (axis === null) return this.#flattened(list, place);
    const [first] = list as readonly [DeviceArray];
    if (first.ndim === 0) throw outOfRange("arrays[0] must have at least one axis; use stack()");
    const along = checkAxis(axis, first.ndim, "options.axis");
    for (const [i, { shape }] of list.entries()) {
      if (shape.length === first.ndim && shape.every((extent, k) => k === along || extent === first.shape[k])) continue;
      throw outOfRange(
        `arrays[${i}] must have the shape of arrays[0], [${first.shape.join()}], except along axis ${along}, received [${shape.join()}]`,
      );
    }
    const total = list.reduce((sum, { shape }) => sum + (shape[along] as number), 0);
    return this.#joined(list, first.shape.with(along, total), place, "concatenate", (target) => {
      const before = Array.from({ length: along }, () => ":");
      let at = 0;
      for (const array of list) {
        const end = at + (array.shape[along] as number);
        using part = target.slice(...before, [at, end]);
        assign(part, array);
        at = end;
      }
    });
  }

  /** Joins arrays of one shape along a new axis. */
  stack<D extends DTypeName>(arrays: readonly AnyArray[], options: StackOptions & JoinDTypeOptions<D>): DeviceArray<D>;
  stack<const A extends readonly AnyArray[]>(arrays: A, options?: StackOptions): DeviceArray<PromotedDType<A>>;
  stack(arrays: readonly AnyArray[], options?: StackOptions & Partial<JoinDTypeOptions<DTypeName>>): DeviceArray {
    const list = this.#checkArrays(arrays);
    const [{ shape }] = list as readonly [DeviceArray];
    const { axis: wanted = 0, ...place } = checkOptions(options, ["axis", "out", "dtype"]);
    const axis = checkAxis(wanted, shape.length + 1, "options.axis");
    for (const [i, one] of list.entries()) {
      if (String(one.shape) === String(shape) && one.ndim === shape.length) continue;
      throw outOfRange(
        `arrays[${i}] must have the shape of arrays[0], [${shape.join()}], received [${one.shape.join()}]`,
      );
    }
    return this.#joined(list, shape.toSpliced(axis, 0, list.length), place, "stack", (target) => {
      const before = Array.from({ length: axis }, () => ":");
      for (const [i, array] of list.entries()) {
        using part = target.slice(...before, i);
        assign(part, array);
      }
    });
  }

  /** Stacks arrays horizontally: along the second axis, or along the only one. */
  hstack<const A extends readonly AnyArray[]>(arrays: A, options?: OutOptions): DeviceArray<PromotedDType<A>> {
    return this.#along(arrays, options, (array) => (array.ndim === 0 ? array.reshape([1]) : array.slice()), 1);
  }

  /** Stacks arrays vertically; arrays of one axis become rows. */
  vstack<const A extends readonly AnyArray[]>(arrays: A, options?: OutOptions): DeviceArray<PromotedDType<A>> {
    return this.#along(arrays, options, (array) => (array.ndim < 2 ? array.reshape([1, -1]) : array.slice()), 0);
  }

  /** Stacks arrays depth-wise, along the third axis. */
  dstack<const A extends readonly AnyArray[]>(arrays: A, options?: OutOptions): DeviceArray<PromotedDType<A>> {
    const deep = (array: DeviceArray): DeviceArray => {
      if (array.ndim < 2) return array.reshape([1, -1, 1]);
      return array.ndim === 2 ? array.expandDims(2) : array.slice();
    };
    return this.#along(arrays, options, deep, 2);
  }

  /** Stacks arrays of one axis as columns of a matrix; matrices are stacked horizontally. */
  columnStack<const A extends readonly AnyArray[]>(arrays: A, options?: OutOptions): DeviceArray<PromotedDType<A>> {
    return this.#along(arrays, options, (array) => (array.ndim < 2 ? array.reshape([-1, 1]) : array.slice()), 1);
  }

  /**
   * Assembles an array from nested lists of blocks: the innermost lists are joined along the last axis, the next along
   * the second-to-last, and so on.
   */
  block(blocks: BlockOf): DeviceArray {
    const list = this.#checkArrays(arraysOf(blocks), "blocks");
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
    const fill = (target: DeviceArray, block: BlockOf, axis: number): void => {
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
    return this.#joined(list, shapeOf(blocks, first), {}, "block", (target) => fill(target, blocks, first));
  }

  /** Returns the array with values appended along an axis; without an axis, all elements of both, flattened. */
  append<A extends AnyArray, B extends AnyArray>(
    array: A,
    values: B,
    options?: { readonly axis?: number },
  ): DeviceArray<PromotedDType<readonly [A, B]>> {
    const list: readonly AnyArray[] = [array, values];
    const axis = checkOptions(options, ["axis"]).axis ?? null;
    return this.concatenate(list, { axis }) as AnyArray as DeviceArray<PromotedDType<readonly [A, B]>>;
  }

  #along<A extends readonly AnyArray[]>(
    arrays: A,
    options: OutOptions | undefined,
    shaped: (array: DeviceArray) => DeviceArray,
    axis: number,
  ): DeviceArray<PromotedDType<A>> {
    const place = checkOptions(options, ["out"]);
    return withViews(this.#checkArrays(arrays).map(shaped), (views) => {
      const lines = axis === 1 && views[0]?.ndim === 1;
      const list: readonly AnyArray[] = views;
      return this.concatenate(list, { ...place, axis: lines ? 0 : axis }) as AnyArray as DeviceArray<PromotedDType<A>>;
    });
  }

  #flattened(list: readonly DeviceArray[], place: OutOptions & Partial<JoinDTypeOptions<DTypeName>>): DeviceArray {
    const total = list.reduce((sum, { size }) => sum + size, 0);
    return this.#joined(list, [total], place, "concatenate", (target) => {
      let at = 0;
      for (const array of list) {
        // One axis can be seen under any shape, which an array of gaps cannot.
        using line = target.slice([at, at + array.size]);
        using part = line.reshape(array.shape);
        assign(part, array);
        at += array.size;
      }
    });
  }

  #joined(
    list: readonly AnyArray[],
    shape: readonly number[],
    { dtype, out }: OutOptions & Partial<JoinDTypeOptions<DTypeName>>,
    what: string,
    fill: (target: DeviceArray) => void,
  ): DeviceArray {
    const common = list.map((array): DTypeName => array.dtype.name).reduce(promote);
    const type = dtype === undefined ? common : checkArrayType(dtype, "options.dtype").name;
    if (out === undefined) return filled(this.empty(shape, { dtype: type }), fill);
    const target = checkOut(out, this, shape, type, what) as DeviceArray;
    // Storing one part must not change those that are still to be read.
    const { storage } = target.operand();
    if (!list.some((array) => array.operand().storage.meets(storage))) {
      fill(target);
      return target;
    }
    using temporary = filled(this.empty(shape, { dtype: target.dtype.name }), fill);
    return target.assign(temporary);
  }

  #checkArrays(arrays: readonly AnyArray[], name = "arrays"): readonly DeviceArray[] {
    const list = checkList(arrays, name, "an array of DeviceArrays");
    if (list.length === 0) throw outOfRange(`${name} must have at least one array`);
    return list.map((array, i) => checkArray(array as AnyArray, this, `${name}[${i}]`) as DeviceArray);
  }
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
