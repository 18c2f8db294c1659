/** Several arrays as one, in new memory. */
import { checkList, checkOptions, outOfRange } from "@cl/base";
import { checkArrayType, type DTypeName, type TypedDType } from "../types/dtype-name.js";
import type { Joined } from "../types/joined.js";
import { promote } from "../types/promote.js";
import type { AnyArray } from "./any-array.js";
import type { OutOptions } from "./array-operators.js";
import { ArraysOperators } from "./arrays-operators.js";
import { assign } from "./assign.js";
import { checkArray, checkOut } from "./check-array.js";
import { checkAxis } from "./check-axes.js";
import type { DeviceArray } from "./device-array.js";
import { filled, withViews } from "./filled.js";

/** What the elements of several arrays become; if not said, the type that holds the values of all. */
export interface JoinTypeOptions<D extends DTypeName> {
  /** Values are converted as `astype` does. */
  readonly dtype: D | TypedDType<D>;
}

/** How arrays are stacked. */
export interface StackOptions extends OutOptions {
  /** The axis of the result along which they follow each other; 0 if not said. */
  readonly axis?: number;
}

/** How arrays are concatenated. */
export interface ConcatenateOptions extends OutOptions {
  /** The axis along which they follow each other; 0 if not said. Null lays out all elements along one axis. */
  readonly axis?: number | null;
}

/** Arrays in lists in lists. */
export type BlockOf = AnyArray | readonly BlockOf[];

/** The part of `Arrays` that joins. */
export abstract class ArraysJoining extends ArraysOperators {
  /** Arrays one after another along an axis that they have; the other extents are equal. */
  concatenate<D extends DTypeName>(
    arrays: readonly AnyArray[],
    options: ConcatenateOptions & JoinTypeOptions<D>,
  ): DeviceArray<D>;
  concatenate<const A extends readonly AnyArray[]>(arrays: A, options?: ConcatenateOptions): DeviceArray<Joined<A>>;
  concatenate(
    arrays: readonly AnyArray[],
    options?: ConcatenateOptions & Partial<JoinTypeOptions<DTypeName>>,
  ): DeviceArray {
    const list = this.#checkArrays(arrays);
    const { axis = 0, ...place } = checkOptions(options, ["axis", "out", "dtype"]);
    if (axis === null) return this.#flattened(list, place);
    const [first] = list as readonly [DeviceArray];
    if (first.ndim === 0) throw outOfRange("arrays[0] has no axes to follow each other along: use stack()");
    const along = checkAxis(axis, first.ndim, "options.axis");
    for (const [i, { shape }] of list.entries()) {
      if (shape.length === first.ndim && shape.every((extent, k) => k === along || extent === first.shape[k])) continue;
      throw outOfRange(
        `arrays[0] has the shape [${first.shape.join()}], but arrays[${i}] has [${shape.join()}]: only axis ${along} may differ`,
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

  /** Arrays of one shape along a new axis. */
  stack<D extends DTypeName>(arrays: readonly AnyArray[], options: StackOptions & JoinTypeOptions<D>): DeviceArray<D>;
  stack<const A extends readonly AnyArray[]>(arrays: A, options?: StackOptions): DeviceArray<Joined<A>>;
  stack(arrays: readonly AnyArray[], options?: StackOptions & Partial<JoinTypeOptions<DTypeName>>): DeviceArray {
    const list = this.#checkArrays(arrays);
    const [{ shape }] = list as readonly [DeviceArray];
    const { axis: wanted = 0, ...place } = checkOptions(options, ["axis", "out", "dtype"]);
    const axis = checkAxis(wanted, shape.length + 1, "options.axis");
    for (const [i, one] of list.entries()) {
      if (String(one.shape) === String(shape) && one.ndim === shape.length) continue;
      throw outOfRange(`arrays[0] has the shape [${shape.join()}], but arrays[${i}] has [${one.shape.join()}]`);
    }
    return this.#joined(list, shape.toSpliced(axis, 0, list.length), place, "stack", (target) => {
      const before = Array.from({ length: axis }, () => ":");
      for (const [i, array] of list.entries()) {
        using part = target.slice(...before, i);
        assign(part, array);
      }
    });
  }

  /** Arrays side by side: along the second axis, or the only one. */
  hstack<const A extends readonly AnyArray[]>(arrays: A, options?: OutOptions): DeviceArray<Joined<A>> {
    return this.#along(arrays, options, (array) => (array.ndim === 0 ? array.reshape([1]) : array.slice()), 1);
  }

  /** Arrays below each other; lines are rows. */
  vstack<const A extends readonly AnyArray[]>(arrays: A, options?: OutOptions): DeviceArray<Joined<A>> {
    return this.#along(arrays, options, (array) => (array.ndim < 2 ? array.reshape([1, -1]) : array.slice()), 0);
  }

  /** Arrays behind each other, along the third axis. */
  dstack<const A extends readonly AnyArray[]>(arrays: A, options?: OutOptions): DeviceArray<Joined<A>> {
    const deep = (array: DeviceArray): DeviceArray => {
      if (array.ndim < 2) return array.reshape([1, -1, 1]);
      return array.ndim === 2 ? array.expandDims(2) : array.slice();
    };
    return this.#along(arrays, options, deep, 2);
  }

  /** Lines as columns of a matrix, and matrices, side by side. */
  columnStack<const A extends readonly AnyArray[]>(arrays: A, options?: OutOptions): DeviceArray<Joined<A>> {
    return this.#along(arrays, options, (array) => (array.ndim < 2 ? array.reshape([-1, 1]) : array.slice()), 1);
  }

  /** A matrix, or an array of more axes, of blocks: the innermost lists follow along the last axis, and so on. */
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
          `blocks of shape [${first.join()}] and [${shape.join()}] do not fit together along axis ${axis}`,
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

  /** The array, and then these values along an axis; without one, all elements of both. */
  append<A extends AnyArray, B extends AnyArray>(
    array: A,
    values: B,
    options?: { readonly axis?: number },
  ): DeviceArray<Joined<readonly [A, B]>> {
    const list: readonly AnyArray[] = [array, values];
    const axis = checkOptions(options, ["axis"]).axis ?? null;
    return this.concatenate(list, { axis }) as AnyArray as DeviceArray<Joined<readonly [A, B]>>;
  }

  #along<A extends readonly AnyArray[]>(
    arrays: A,
    options: OutOptions | undefined,
    shaped: (array: DeviceArray) => DeviceArray,
    axis: number,
  ): DeviceArray<Joined<A>> {
    const place = checkOptions(options, ["out"]);
    return withViews(this.#checkArrays(arrays).map(shaped), (views) => {
      const lines = axis === 1 && views[0]?.ndim === 1;
      const list: readonly AnyArray[] = views;
      return this.concatenate(list, { ...place, axis: lines ? 0 : axis }) as AnyArray as DeviceArray<Joined<A>>;
    });
  }

  #flattened(list: readonly DeviceArray[], place: OutOptions & Partial<JoinTypeOptions<DTypeName>>): DeviceArray {
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
    { dtype, out }: OutOptions & Partial<JoinTypeOptions<DTypeName>>,
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
    if (list.length === 0) throw outOfRange(`${name} is empty, and of nothing there is no type`);
    return list.map((array, i) => checkArray(array as AnyArray, this, `${name}[${i}]`) as DeviceArray);
  }
}

function depthOf(block: BlockOf): number {
  if (!Array.isArray(block)) return 0;
  const depths = (block as readonly BlockOf[]).map(depthOf);
  const [first = 0] = depths;
  if (block.length === 0) throw outOfRange("blocks has an empty list in it");
  if (depths.some((depth) => depth !== first)) throw outOfRange("blocks has arrays in lists of different depth");
  return first + 1;
}

function arraysOf(block: BlockOf): readonly AnyArray[] {
  if (!Array.isArray(block)) return [block as AnyArray];
  return (checkList(block, "blocks", "a list of blocks") as readonly BlockOf[]).flatMap(arraysOf);
}
