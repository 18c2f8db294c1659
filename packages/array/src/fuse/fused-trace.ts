/** A completed trace: the parts that compute the results, and the structure in which the function returns them. */
import { typeError, wrongValue } from "@cl/base";
import type { AnyArray, ArraySource } from "../storage/array-ref.js";
import { isArray } from "../storage/check-array.js";
import type { Expression } from "../expression/expression.js";
import { isComplexValue } from "../types/promote.js";
import { FusedElements, FusedPasses } from "./fused-parts.js";
import { type PlacedPart, runParts } from "./run-parts.js";
import { isStandIn, type Trace, type TracedReduction, type TracedScan } from "../tracing/trace.js";
import type { OperandLike } from "../storage/operand-like.js";

/** The result of a fused function: an array, a list of arrays, or an object of arrays. */
export type FuseResult = AnyArray | readonly AnyArray[] | Readonly<Record<string, AnyArray>>;

/** A function as it was traced for arguments of certain types, and for certain numbers. */
export class FusedTrace {
  readonly #xp: ArraySource;
  /** The types of the arguments that are arrays, and the values of the others. */
  readonly #signature: readonly unknown[];
  readonly #parts: readonly PlacedPart[];
  /** The keys of the results in what the function returned; undefined for a single array. */
  readonly #keys: readonly string[] | undefined;
  readonly #isList: boolean;

  /** `result` is what the function returned. */
  constructor(trace: Trace, args: readonly unknown[], result: unknown) {
    this.#xp = trace.xp;
    this.#signature = args.map((arg) =>
      isArray(arg) ? arg.dtype : isComplexValue(arg) ? { re: arg.re, im: arg.im } : arg,
    );
    this.#isList = Array.isArray(result);
    this.#keys = isStandIn(result) || isArray(result) ? undefined : keysOf(result);
    const values = this.#keys === undefined ? [result] : Object.values(result as object);
    const traced = values.map((value) => trace.resultOf(checkResult(value)));
    const elements = [...traced.keys()].filter((k) => "id" in (traced[k] as object));
    this.#parts = [
      ...(elements.length === 0
        ? []
        : [
            {
              part: new FusedElements(
                trace,
                elements.map((k) => traced[k] as Expression),
              ),
              positions: elements,
            },
          ]),
      ...[...traced.entries()]
        .filter(([k]) => !elements.includes(k))
        .map(([k, one]) => ({ part: new FusedPasses(trace, one as TracedReduction | TracedScan), positions: [k] })),
    ];
  }

  /** True for arguments of the same types, and the same numbers. */
  fits(args: readonly unknown[], count: number): boolean {
    const signature = this.#signature;
    if (count !== signature.length) return false;
    let first = true;
    for (let k = 0; k < count; k++) {
      const arg = args[k];
      if (!isArray(arg)) {
        if (!Object.is(arg, signature[k]) && !isSameComplex(arg, signature[k])) return false;
      } else {
        if (arg.dtype !== signature[k] || (first && arg.xp !== this.#xp)) return false;
        first = false;
      }
    }
    return true;
  }

  /** Computes for arguments that fit. */
  run(args: readonly OperandLike[], out: unknown): never {
    const outs = out === undefined ? undefined : this.#outs(out);
    if (this.#parts.length > 1) return this.#returned(runParts(this.#parts, args, outs)) as never;
    const { part } = this.#parts[0] as PlacedPart;
    return this.#returned(part.run(part.inputs(args), outs)) as never;
  }

  /** The places of results, in the order of their keys. */
  #outs(out: unknown): readonly (AnyArray | undefined)[] {
    if (this.#keys === undefined) return [out as AnyArray];
    if (typeof out !== "object" || out === null || isArray(out)) {
      throw typeError(
        "options.out",
        `${this.#isList ? "a list" : "an object"} of arrays, as the function returns`,
        out,
      );
    }
    const unknown = Object.keys(out).find((key) => this.#keys?.includes(key) !== true);
    if (unknown !== undefined) {
      throw wrongValue(`options.out must only name results of the function, received ${unknown}`);
    }
    return this.#keys.map((key) => (out as Readonly<Record<string, AnyArray | undefined>>)[key]);
  }

  #returned(results: AnyArray[]): FuseResult {
    if (this.#keys === undefined) return results[0] as AnyArray;
    if (this.#isList) return results;
    return Object.fromEntries(this.#keys.map((key, k) => [key, results[k] as AnyArray]));
  }
}

/** Returns whether two objects are the same complex number; callers may write it as a new literal for each call. */
function isSameComplex(arg: unknown, known: unknown): boolean {
  return isComplexValue(arg) && isComplexValue(known) && Object.is(arg.re, known.re) && Object.is(arg.im, known.im);
}

/** The names of several results: positions for a list. */
function keysOf(result: unknown): readonly string[] {
  if (typeof result !== "object" || result === null) throw notArrays(result);
  const keys = Object.keys(result);
  if (keys.length === 0) throw wrongValue("a fused function must return at least one array");
  return keys;
}

function checkResult(value: unknown): AnyArray {
  if (isStandIn(value) || isArray(value)) return value as AnyArray;
  throw notArrays(value);
}

function notArrays(value: unknown): TypeError {
  return typeError("the result of a fused function", "an array, a list of arrays or an object of arrays", value);
}
