/** Conversion between arrays of bits and bytes that hold eight bits each. */
import { checkInteger, checkOptions, rangeError, wrongType } from "@cl/base";
import { assign } from "../elementwise/assign.js";
import { operators } from "../elementwise/operators.js";
import { sum } from "../reductions/reduce.js";
import { axisBack } from "../shapes/axis-last.js";
import { checkAxis } from "../shapes/check-axes.js";
import { checkArray } from "../storage/check-array.js";
import { filled } from "../storage/filled.js";
import type { AnyArray, ArrayRef, ArraySource } from "../storage/array-ref.js";
import { kindOf } from "../types/promote.js";

/** Options of `packbits`. */
export interface PackOptions {
  /**
   * The axis along which bits are packed.
   * @defaultValue all elements in C order
   */
  readonly axis?: number | undefined;
  /**
   * Whether the first bit is the most significant bit of its byte (`"big"`) or the least significant bit.
   * @defaultValue "big"
   */
  readonly bitOrder?: "big" | "little" | undefined;
}

/** Options of `unpackbits`. */
export interface UnpackOptions extends PackOptions {
  /**
   * Number of bits to return. Missing bits are 0; a negative number omits bits at the end.
   * @defaultValue all bits
   */
  readonly count?: number | undefined;
}

/** Returns the elements, as 0 or 1, packed into bytes. The last byte is filled with zeros. */
export function packbits(xp: ArraySource, array: AnyArray, options: PackOptions | undefined): ArrayRef<"uint8"> {
  const { axis, bitOrder } = checkOptions(options, ["axis", "bitOrder"]);
  checkArray(array, xp, "array");
  if (kindOf(array.dtype.name) > 2) {
    throw wrongType(`packbits supports only booleans and integers, received ${array.dtype.name}`);
  }
  const order = checkBitOrder(bitOrder);
  return alongLast(array, axis, (lines) => {
    const bytes = Math.ceil((lines.shape.at(-1) as number) / 8);
    using weights = perBit(xp, order, (bit) => 1 << bit);
    using truths = operators.notEqual(lines, 0);
    using bits = resized(truths, bytes * 8);
    using groups = bits.reshape([...lines.shape.slice(0, -1), bytes, 8]);
    using weighted = operators.multiply(groups, weights);
    return sum(weighted, { axis: -1, dtype: "uint8" });
  });
}

/** Returns the bits of bytes, as bytes of 0 and 1. */
export function unpackbits(xp: ArraySource, array: AnyArray, options: UnpackOptions | undefined): ArrayRef<"uint8"> {
  const { axis, bitOrder, count } = checkOptions(options, ["axis", "bitOrder", "count"]);
  checkArray(array, xp, "array");
  if (count !== undefined) checkInteger(count, "options.count", Number.MIN_SAFE_INTEGER);
  if (array.dtype.name !== "uint8") throw wrongType(`unpackbits supports only uint8, received ${array.dtype.name}`);
  const order = checkBitOrder(bitOrder);
  return alongLast(array, axis, (lines) => {
    const total = 8 * (lines.shape.at(-1) as number);
    const wanted = count === undefined ? total : count < 0 ? total + count : count;
    if (wanted < 0) throw rangeError("options.count", `at least -${total}, the number of bits`, count);
    using shifts = perBit(xp, order, (bit) => bit);
    using columns = lines.expandDims(-1);
    using shifted = operators.rightShift(columns, shifts);
    using bits = operators.bitwiseAnd(shifted, 1);
    using line = bits.reshape([...lines.shape.slice(0, -1), total]);
    return resized(line, wanted) as ArrayRef<"uint8">;
  });
}

function checkBitOrder(order: unknown): "big" | "little" {
  if (order === undefined || order === "big" || order === "little") return order ?? "big";
  throw rangeError("options.bitOrder", '"big" or "little"', order);
}

/** Returns a value for each bit of a byte, numbered by its weight, in the order of the bits. */
function perBit(xp: ArraySource, order: "big" | "little", value: (bit: number) => number): ArrayRef<"uint8"> {
  return xp.fromHost(Uint8Array.from({ length: 8 }, (_, i) => value(order === "little" ? i : 7 - i)));
}

/** Calls a function with the axis moved to the end, or with all elements along one axis. */
function alongLast<A extends ArrayRef>(array: AnyArray, axis: number | undefined, make: (lines: AnyArray) => A): A {
  if (axis === undefined) {
    using line = array.ravel();
    return make(line);
  }
  const along = checkAxis(axis, array.ndim, "options.axis");
  using lines = array.moveaxis(along, -1);
  return axisBack(make(lines), along) as A;
}

/** Returns uint8 lines of another length along the last axis. */
function resized(lines: AnyArray, length: number): AnyArray {
  const { shape, xp } = lines;
  const common = Math.min(shape.at(-1) as number, length);
  return filled(xp.zeros([...shape.slice(0, -1), length], { dtype: "uint8" }), (result) => {
    if (lines.size === 0 || common === 0) return;
    using source = lines.slice("...", [0, common]);
    using target = result.slice("...", [0, common]);
    assign(target, source);
  });
}
