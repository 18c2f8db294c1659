// Info queries as data: the constant, the decoder of the result, and the required OpenCL version or extension. The
// tables in this folder have one query per property, and the object classes turn them into getters.

import type { Decoder } from "./decode.js";

/** An info query. */
export interface Query<T> {
  /** The constant of the query, for example `DeviceInfo.MAX_COMPUTE_UNITS`. */
  readonly param: number;
  /** Decodes the result. */
  readonly decode: Decoder<T>;
  /** The required OpenCL version ("2.1") or extension ("cl_khr_fp16"); omitted for OpenCL 1.0. */
  readonly requires?: string;
}

/** A table with one query per property of `P`. */
export type Queries<P> = { readonly [K in keyof P]-?: Query<P[K]> };

/** Returns a {@link Query}, so that tables need one line per property. */
export function query<T>(param: number, decode: Decoder<T>, requires?: string): Query<T> {
  return requires === undefined ? { param, decode } : { param, decode, requires };
}

/**
 * Defines a getter for each query of a table on a class's prototype. The class declares the properties through an
 * interface of the same name that extends the table's property interface.
 *
 * @param read - Queries the driver for an instance. Returns the bytes of the result.
 */
export function defineQueryProperties<T extends object, P extends object>(
  prototype: T,
  queries: Queries<P>,
  read: (instance: T, query: Query<unknown>, name: string) => Uint8Array,
): void {
  for (const [name, entry] of Object.entries<Query<unknown>>(queries)) {
    Object.defineProperty(prototype, name, {
      configurable: true,
      // Like accessors in a class body, they are not copied when an instance is spread and not printed.
      enumerable: false,
      get(this: T): unknown {
        return entry.decode(read(this, entry, name));
      },
    });
  }
}

/** Returns the decoded result of a query in a table; `read` returns the bytes for a constant. */
export function ask<P, K extends keyof P>(queries: Queries<P>, name: K, read: (param: number) => Uint8Array): P[K] {
  const { param, decode } = queries[name];
  return decode(read(param));
}

/** Returns the decoded result of a query of `object`. */
export function infoOf<P, K extends keyof P>(
  object: { getInfo(param: number): Uint8Array },
  queries: Queries<P>,
  name: K,
): P[K] {
  const { param, decode } = queries[name];
  return decode(object.getInfo(param));
}
