/** Scalar arguments that each launch of a list sets, and the indices of their values. */
import { checkInteger, typeError, wrongValue } from "@cl/base";

import { type BoundKernel, scalarOf } from "./bound-kernel.js";
import { fitsScalar, scalarError } from "../dtype/scalar-value.js";
import { argumentsOffset, beginWrite, isUndisturbed, scratch, scratchFloat64 } from "../binding/scratch.js";

/** Indices into a launch's values, by argument name or position. */
export type ListScalarMap = Readonly<Record<number | string, number>>;

/** Values of a launch; a Float64Array is the fastest. */
export type ListValues = Float64Array | readonly number[];

interface Use {
  readonly kernel: BoundKernel;
  readonly index: number;
  readonly value: number;
}

const first = argumentsOffset / Float64Array.BYTES_PER_ELEMENT;
/** Maximum number of values: as many as fit into the scratch block. */
const maxValues = (scratch.byteLength - argumentsOffset) / Float64Array.BYTES_PER_ELEMENT;

/** The scalar arguments of one list. */
export class ListScalars {
  readonly #uses: Use[] = [];
  #count = 0;

  /** Number of values that a launch must provide; more are ignored, so that lists can share an array. */
  get count(): number {
    return this.#count;
  }

  /** Returns the arguments that a kernel takes from the values, also in the native side's format. */
  plan(kernel: BoundKernel, map: ListScalarMap | undefined): readonly [uses: readonly Use[], encoded: Int32Array] {
    if (map === undefined) return emptyPlan;
    if (typeof map !== "object" || map === null || Object.getPrototypeOf(map) !== Object.prototype) {
      throw typeError("options.scalars", "a plain object that maps arguments to indices of values", map);
    }
    const encoded: number[] = [];
    const uses = Object.entries(map).map(([key, at]) => {
      const name = `options.scalars.${key}`;
      const value = checkInteger(at, name, 0, maxValues - 1);
      const { index, scalar } = scalarOf(kernel, /^\d+$/.test(key) ? Number(key) : key, name);
      encoded.push(index, scalar.code, value);
      return { kernel, index, value };
    });
    return [uses, Int32Array.from(encoded)];
  }

  /** Adds a plan that the native side has accepted. */
  add(uses: readonly Use[]): void {
    this.#uses.push(...uses);
    for (const { value } of uses) this.#count = Math.max(this.#count, value + 1);
  }

  /** Writes the values into the scratch block for the next launch; returns their number. */
  write(values: ListValues): number {
    const count = this.#count;
    if (values.length < count) {
      throw wrongValue(`values must have at least ${count} numbers, received ${values.length}`);
    }
    const write = beginWrite();
    if (values instanceof Float64Array) {
      // A separate loop stays monomorphic: 20 values take 20 ns instead of 60; set() takes 40.
      for (let i = 0; i < count; i++) scratchFloat64[first + i] = values[i] as number;
    } else {
      for (let i = 0; i < count; i++) {
        const value = values[i];
        if (typeof value !== "number") throw typeError(`values[${i}]`, "a number", value);
        scratchFloat64[first + i] = value;
      }
      if (!isUndisturbed(write)) return this.write([...values]);
    }
    return count;
  }

  /** Returns the error for the first value that does not fit its argument; `undefined` if all fit. */
  findError(values: ListValues): Error | undefined {
    for (const { kernel, index, value } of this.#uses) {
      const { scalar, displayName } = scalarOf(kernel, index, "");
      const received = values[value];
      if (!fitsScalar(scalar, received)) return scalarError(scalar, `values[${value}] for ${displayName}`, received);
    }
    return undefined;
  }
}

const emptyPlan: readonly [readonly Use[], Int32Array] = Object.freeze([Object.freeze([]), new Int32Array()] as const);
