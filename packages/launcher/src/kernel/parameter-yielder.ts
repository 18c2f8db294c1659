import { checkFunction, typeError } from "@cl/base";

import type { ParameterValues } from "../parameters/parameter-union.js";

/** Returns a parameter's values for a launch, given the values of the launch's other parameters. */
export type ParameterFactory<T = unknown> = (parameters: ParameterValues) => Iterable<T> | Iterator<T>;

/** Values of an iterated parameter: anything that can be iterated more than once. */
export type ParameterSource<T = unknown> = ParameterYielder<T> | ParameterFactory<T> | Iterable<T>;

/**
 * Produces the values of an iterated parameter for each launch.
 *
 * @example
 * ```ts
 * const axes = new ParameterYielder(function* () {
 *   yield* [0, 1, 2];
 * });
 * console.log([...axes]); // [ 0, 1, 2 ]
 * ```
 */
export class ParameterYielder<T = unknown> {
  readonly #make: ParameterFactory<T>;

  /** @param make - returns a new iterator, generator or iterable at each call */
  constructor(make: ParameterFactory<T>) {
    this.#make = checkFunction(make, "make");
  }

  /** Returns a new iterator. */
  newGenerator(parameters: ParameterValues = {}): Iterator<T> {
    const values: unknown = this.#make(parameters);
    if (isIterable(values)) return values[Symbol.iterator]() as Iterator<T>;
    if (isIterator(values)) return values as Iterator<T>;
    throw typeError("the result of make()", "an iterator or an iterable", values);
  }

  /** Same as {@link newGenerator}, for `for … of`. */
  [Symbol.iterator](): Iterator<T> {
    return this.newGenerator();
  }
}

/** Returns a yielder for anything that can be iterated repeatedly. */
export function yielderOf(source: unknown, name: string): ParameterYielder {
  if (source instanceof ParameterYielder) return source;
  if (typeof source === "function") return new ParameterYielder(source as ParameterFactory);
  const expected = "an array, a function that returns an iterator, or a ParameterYielder";
  if (!isIterable(source) || typeof source === "string") throw typeError(name, expected, source);
  // A generator ends after the first launch.
  if ((source[Symbol.iterator]() as unknown) === source) {
    throw typeError(name, `${expected}, since an iterator can be used only once`, source);
  }
  return new ParameterYielder(() => source);
}

function isObject(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

function isIterator(value: unknown): value is Iterator<unknown> {
  return isObject(value) && typeof (value as { next?: unknown }).next === "function";
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return (
    (isObject(value) || typeof value === "string") &&
    typeof (value as { [Symbol.iterator]?: unknown })[Symbol.iterator] === "function"
  );
}
