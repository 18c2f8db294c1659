// An info query as data: its constant, how its answer is read, and what a device must have to know it. The tables in
// this folder hold one per property, and the object classes turn a table into getters.

import type { Decoder } from "./decode.js";

/** One info query. */
export interface Query<T> {
  /** The constant that asks for it, for example `DeviceInfo.MAX_COMPUTE_UNITS`. */
  readonly param: number;
  /** Reads the answer. */
  readonly decode: Decoder<T>;
  /** The OpenCL version ("2.1") or extension ("cl_khr_fp16") that brought it; absent for OpenCL 1.0. */
  readonly requires?: string;
}

/** A table with one query for every property of `P`. */
export type Queries<P> = { readonly [K in keyof P]-?: Query<P[K]> };

/** Makes a {@link Query}; it keeps the tables to one line a property. */
export function query<T>(param: number, decode: Decoder<T>, requires?: string): Query<T> {
  return requires === undefined ? { param, decode } : { param, decode, requires };
}

/**
 * Defines one getter for each query of `queries` on a class's prototype. The class declares the properties through an
 * interface of its own name that extends the table's property interface.
 *
 * @param prototype - the class's prototype
 * @param queries - the table
 * @param read - asks the driver: given an instance, the query and the property's name, it returns the answer's bytes
 */
export function defineQueryProperties<T extends object, P extends object>(
  prototype: T,
  queries: Queries<P>,
  read: (instance: T, query: Query<unknown>, name: string) => Uint8Array,
): void {
  for (const [name, one] of Object.entries<Query<unknown>>(queries)) {
    Object.defineProperty(prototype, name, {
      configurable: true,
      // As accessors that a class body declares: they do not show up when an instance is spread or printed.
      enumerable: false,
      get(this: T): unknown {
        return one.decode(read(this, one, name));
      },
    });
  }
}

/** Asks one query of a table: `read` gets the constant and returns the answer's bytes. */
export function ask<P, K extends keyof P>(queries: Queries<P>, name: K, read: (param: number) => Uint8Array): P[K] {
  const { param, decode } = queries[name];
  return decode(read(param));
}

/** Returns a property of `object`, decoded as its query in the table says. */
export function infoOf<P, K extends keyof P>(
  object: { getInfo(param: number): Uint8Array },
  queries: Queries<P>,
  name: K,
): P[K] {
  const { param, decode } = queries[name];
  return decode(object.getInfo(param));
}
