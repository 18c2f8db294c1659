/** The source fragments of a scan's kernels, for scans of arrays and for user kernels. */
import type { CompilerOptions } from "@cl/core";
import { generated, macros } from "../kernels/macros.js";
import combinedParts from "./combined-parts.cl";

/**
 * A scan over rows of elements that are numbered in C order. Texts are OpenCL C, and may use the parameters, `n_`, an element's
 * number, and `row_` and `column_`, where it is. No operation need be commutative unless that is said.
 */
export interface ScanTexts {
  /** What it is called in messages. */
  readonly name: string;
  /** Types and functions that the other texts need. */
  readonly head: string;
  /** The type of what is combined, which may be a structure. */
  readonly item: string;
  readonly itemBytes: number;
  /** The identity element of the operation. */
  readonly identity: string;
  /** Combines two items; `a` precedes `b`. */
  readonly combine: (a: string, b: string) => string;
  readonly commutative: boolean;
  /** The item of an element. */
  readonly value: string;
  /** Whether a segment begins at an element whose item is in the variable `value_`. */
  readonly start: string | undefined;
  /** Statements for an element, with `item_`, what comes out, and where they use those, `prev_` and `last_`. */
  readonly output: string;
  readonly usesPrev: boolean;
  readonly usesLast: boolean;
  /** The declarations of the parameters. */
  readonly parameters: readonly string[];
  /** True if numbers and places fit into 32 bits. */
  readonly short: boolean;
  /** True if `row_` and `column_` are used. */
  readonly usesPlaces: boolean;
  /** Several elements at a time, where that is possible. */
  readonly wide?: WideTexts | undefined;
  /** Loads and stores of 16 bytes, for work-items that make groups. */
  readonly quads?: QuadTexts | undefined;
  /** Compiler options. */
  readonly options?: CompilerOptions | undefined;
}

/** Adjacent elements as vectors: for scalar types whose operation is also valid for vectors. */
export interface WideTexts {
  /** Expression of the items from index `n_` for a number of adjacent elements, if they are loaded as a vector. */
  readonly value: ((width: number) => string) | undefined;
  /** Statement that stores a number of adjacent elements from the variable `items_`. */
  readonly store: ((width: number) => string) | undefined;
  /** True if the items are stored, and false if what is before each of them. */
  readonly inclusive: boolean;
  /** The type in which the sum of what is before is carried on, where it is wider than items. */
  readonly carry: string | undefined;
}

/** Several adjacent elements, aligned to their total size, as one vector. */
export interface QuadTexts {
  readonly load: QuadLoad | undefined;
  readonly store: QuadStore | undefined;
}

/** A vector of elements from `n_` on. */
export interface QuadLoad {
  readonly type: string;
  readonly width: number;
  readonly vector: string;
  /** The item of one of its elements. */
  readonly item: (element: string) => string;
}

/** The place of such a vector of results, from `n_` on. */
export interface QuadStore {
  readonly type: string;
  readonly width: number;
  readonly place: string;
  /** The result of an item. */
  readonly result: (item: string) => string;
}

/** The head of every program of scans: segments are part of what is combined, so that nothing goes across their starts. */
export function scanHead(
  { head, item, identity, combine }: Pick<ScanTexts, "head" | "item" | "identity" | "combine">,
  segments: boolean,
): string {
  return `${head}
typedef ${item} Item_;
Item_ identity_(void) { return ${identity}; }
Item_ combine_(const Item_ a, const Item_ b) { return ${combine("a", "b")}; }
${macros({ SEGMENTS_: segments })}${combinedParts}${generated("")}`;
}

/** Bytes of a `Part_` at most: what is added to an item is no wider than the item, or than an int. */
export function partBytes({ itemBytes }: Pick<ScanTexts, "itemBytes">, segments: boolean): number {
  return segments ? 2 * Math.max(itemBytes, 4) : itemBytes;
}

/** The lines that say where element `n_` is, for texts that want to know. */
export function placesOf({ usesPlaces }: ScanTexts, index: string): string {
  return usesPlaces ? `const ${index} row_ = n_ / length_, column_ = n_ - row_ * length_;` : "";
}
