/** Helpers for kernel queries. */
import { checkInteger, checkList, typeError } from "@cl/base";

import type { Queries } from "../info/query.js";

/** Returns the checked input sizes of a sub-group query. */
export function checkInput(input: readonly number[]): readonly number[] {
  if (!Array.isArray(input)) throw typeError("input", "an array of sizes", input);
  return checkList(input, "input", "a list of integers").map((value, i) => checkInteger(value, `input[${i}]`));
}

/** Returns an object whose properties call the driver when read, because devices may not support all of them. */
export function lazyProperties<P extends object>(queries: Queries<P>, read: (param: number) => Uint8Array): P {
  const object = {};
  for (const name of Object.keys(queries) as (keyof P)[]) {
    Object.defineProperty(object, name, {
      enumerable: true,
      get: () => queries[name].decode(read(queries[name].param)),
    });
  }
  return object as P;
}
