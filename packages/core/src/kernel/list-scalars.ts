/** Scalar arguments of a list's kernels that each launch brings: which of its values goes to which of them. */
import { checkInteger, typeError, wrongValue } from "@cl/base";

import { type BoundKernel, scalarOf } from "./bound-kernel.js";
import { fitsScalar, scalarError } from "../dtype/scalar-value.js";
import { argumentsOffset, beginWrite, isUndisturbed, scratch, scratchFloat64 } from "../binding/scratch.js";

/** Arguments, by name or position, each with the number of the list's value that it takes. */
export type ListScalarMap = Readonly<Record<number | string, number>>;

/** Values of a launch: a Float64Array is the fastest. */
export type ListValues = Float64Array | readonly number[];

interface Use {
  readonly kernel: BoundKernel;
  readonly index: number;
  readonly value: number;
}

const first = argumentsOffset / Float64Array.BYTES_PER_ELEMENT;
/** As many as fit the scratch block. */
const most = (scratch.byteLength - argumentsOffset) / Float64Array.BYTES_PER_ELEMENT;

/** All of one list. */
export class ListScalars {
  readonly #uses: Use[] = [];
  #count = 0;

  /** How many values a launch has to bring; more do not matter, so that lists can share them. */
  get count(): number {
    return this.#count;
  }

  /** Which arguments one kernel takes from the values; the second is that for the native side. */
  plan(kernel: BoundKernel, map: ListScalarMap | undefined): readonly [uses: readonly Use[], words: Int32Array] {
    if (map === undefined) return nothing;
    if (typeof map !== "object" || map === null || Object.getPrototypeOf(map) !== Object.prototype) {
      throw typeError("options.scalars", "a plain object with the position of a value for each argument", map);
    }
    const words: number[] = [];
    const uses = Object.entries(map).map(([key, at]) => {
      const name = `options.scalars.${key}`;
      const value = checkInteger(at, name, 0, most - 1);
      const { index, scalar } = scalarOf(kernel, /^\d+$/.test(key) ? Number(key) : key, name);
      words.push(index, scalar.code, value);
      return { kernel, index, value };
    });
    return [uses, Int32Array.from(words)];
  }

  /** To be called once the native side has taken a plan. */
  add(uses: readonly Use[]): void {
    this.#uses.push(...uses);
    for (const { value } of uses) this.#count = Math.max(this.#count, value + 1);
  }

  /** Puts the values where the launch that follows reads them; returns how many. */
  write(values: ListValues): number {
    const count = this.#count;
    if (values.length < count) {
      throw wrongValue(`values must have the ${count} numbers that the list takes, received ${values.length}`);
    }
    const write = beginWrite();
    if (values instanceof Float64Array) {
      // A loop of its own: V8 then knows what it reads, and 20 values take 20 ns instead of 60; set() takes 40.
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

  /** The error of a value that its argument cannot hold, if there is one. */
  mistake(values: ListValues): Error | undefined {
    for (const { kernel, index, value } of this.#uses) {
      const { scalar, words } = scalarOf(kernel, index, "");
      const given = values[value];
      if (!fitsScalar(scalar, given)) return scalarError(scalar, `values[${value}] for ${words}`, given);
    }
    return undefined;
  }
}

const nothing: readonly [readonly Use[], Int32Array] = Object.freeze([Object.freeze([]), new Int32Array()] as const);
