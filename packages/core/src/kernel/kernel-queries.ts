/** Helpers for what kernels are asked about devices. */
import { checkInteger, checkList, typeError } from "@cl/base";

import type { Queries } from "../info/query.js";

/** Sizes that a sub-group query is asked for. */
export function checkInput(input: readonly number[]): readonly number[] {
  if (!Array.isArray(input)) throw typeError("input", "an array of sizes", input);
  return checkList(input, "input", "a list of integers").map((value, i) => checkInteger(value, `input[${i}]`));
}

/** An object whose properties are asked when they are read: each is a driver call, and some devices lack some. */
export function lazily<P extends object>(queries: Queries<P>, read: (param: number) => Uint8Array): P {
  const object = {};
  for (const name of Object.keys(queries) as (keyof P)[]) {
    Object.defineProperty(object, name, {
      enumerable: true,
      get: () => queries[name].decode(read(queries[name].param)),
    });
  }
  return object as P;
}
