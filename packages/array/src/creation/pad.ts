/**
 * Padding. Copies the array into the middle of the result and extends each axis on both sides by copies within the
 * result.
 */
import type { ArrayRef, ArraySource } from "../storage/array-ref.js";
import { checkInteger, checkOptions, type Layout, outOfRange, typeError, wrongValue } from "@cl/base";
import type { DTypeName, FillValue } from "../types/dtype-name.js";
import { assign } from "../elementwise/assign.js";
import { flipLayout } from "../shapes/axis-layouts.js";
import { filled } from "../storage/filled.js";

/** Number of elements before and after: the same for all axes, or a pair for each axis. */
export type PadWidths = number | readonly [number, number] | readonly (readonly [number, number])[];

/** Method that computes the padding. */
export type PadMode = "constant" | "edge" | "reflect" | "symmetric" | "wrap";

/** Options of `pad`. */
export interface PadOptions<D extends DTypeName> {
  /**
   * Constant values (`"constant"`), the edge element (`"edge"`), a reflection without (`"reflect"`) or with the edge
   * element (`"symmetric"`), or the opposite end of the array (`"wrap"`).
   * @defaultValue "constant"
   */
  readonly mode?: PadMode;
  /**
   * The value for mode `"constant"`.
   * @defaultValue 0
   */
  readonly value?: FillValue<D>;
}

const modes: readonly unknown[] = ["constant", "edge", "reflect", "symmetric", "wrap"];

/** The array with more elements around it. */
export function pad<D extends DTypeName>(
  xp: ArraySource,
  array: ArrayRef<D>,
  widths: PadWidths,
  options: PadOptions<D> | undefined,
): ArrayRef<D> {
  const { mode = "constant", value } = checkOptions(options, ["mode", "value"]);
  if (!modes.includes(mode)) throw typeError("options.mode", `one of ${modes.join(", ")}`, mode);
  if (value !== undefined && mode !== "constant") {
    throw wrongValue(`options.value needs mode "constant", received mode "${mode}"`);
  }
  const pairs = pairsOf(widths, array.ndim);
  const { shape } = array;
  const target = shape.map((extent, axis) => extent + sum(pairs[axis] as Pair));
  const extended = [...shape.keys()].filter((axis) => sum(pairs[axis] as Pair) > 0);
  const empty = mode === "constant" ? undefined : extended.find((axis) => shape[axis] === 0);
  if (empty !== undefined) {
    throw outOfRange(
      `axis ${empty} of the shape [${shape.join()}] is empty and cannot be padded with mode "${mode}"; use "constant"`,
    );
  }
  const { dtype } = array;
  const made =
    mode === "constant" && extended.length > 0
      ? value === undefined
        ? xp.zeros(target, { dtype })
        : xp.full(target, value, { dtype })
      : xp.empty(target, { dtype });
  return filled(made, () => {
    using middle = made.slice(...pairs.map(([before], axis) => [before, before + (shape[axis] as number)] as const));
    assign(middle, array);
    if (mode === "constant") return;
    for (const axis of extended) {
      // Axes that come later are still to be padded.
      const done = pairs.map(([before], k) => (k > axis ? ([before, before + (shape[k] as number)] as const) : ":"));
      using part = made.slice(...done);
      extend(part, axis, pairs[axis] as Pair, shape[axis] as number, mode);
    }
  });
}

type Pair = readonly [before: number, after: number];

function sum([before, after]: Pair): number {
  return before + after;
}

function pairsOf(widths: PadWidths, ndim: number): readonly Pair[] {
  const one = (value: unknown, name: string): number => checkInteger(value, name);
  if (typeof widths === "number") {
    const width = one(widths, "widths");
    return Array.from({ length: ndim }, () => [width, width]);
  }
  if (!Array.isArray(widths)) {
    throw typeError("widths", "a number, [before, after], or a list of such pairs, one for each axis", widths);
  }
  const list = widths as readonly (number | Pair)[];
  if (list.length === 2 && typeof list[0] === "number") {
    const pair: Pair = [one(list[0], "widths[0]"), one(list[1], "widths[1]")];
    return Array.from({ length: ndim }, () => pair);
  }
  if (list.length !== ndim) {
    throw outOfRange(`widths must have a pair for each of ${ndim} axes, received ${list.length}`);
  }
  return list.map((pair, axis): Pair => {
    if (!Array.isArray(pair) || pair.length !== 2) throw typeError(`widths[${axis}]`, "[before, after]", pair);
    return [one(pair[0], `widths[${axis}][0]`), one(pair[1], `widths[${axis}][1]`)];
  });
}

/** Fills an axis before and after its `extent` existing elements. */
function extend(array: ArrayRef, axis: number, [before, after]: Pair, extent: number, mode: PadMode): void {
  const end = before + extent;
  if (mode === "edge" || (mode === "reflect" && extent === 1)) {
    copy(array, axis, 0, before, before, 1);
    copy(array, axis, end, after, end - 1, 1);
    return;
  }
  let [low, high] = [before, end];
  if (mode !== "wrap") {
    const skip = mode === "reflect" ? 1 : 0;
    const [left, right] = [Math.min(before, extent - skip), Math.min(after, extent - skip)];
    copy(array, axis, before - left, left, before + skip, left, true);
    copy(array, axis, end, right, end - skip - right, right, true);
    [low, high] = [low - left, high + right];
  }
  // Existing elements repeat with this period, and each copy doubles them.
  const period = mode === "wrap" ? extent : 2 * (mode === "reflect" ? extent - 1 : extent);
  while (low > 0) {
    const whole = Math.floor((high - low) / period) * period;
    const count = Math.min(low, whole);
    copy(array, axis, low - count, count, low - count + whole, count);
    low -= count;
  }
  const total = end + after;
  while (high < total) {
    const whole = Math.floor(high / period) * period;
    const count = Math.min(total - high, whole);
    copy(array, axis, high, count, high - whole, count);
    high += count;
  }
}

/** Stores `length` elements of an axis, or one for all, in `count` others; mirrored if asked. */
function copy(
  array: ArrayRef,
  axis: number,
  to: number,
  count: number,
  from: number,
  length: number,
  mirrored = false,
): void {
  if (count === 0) return;
  const { layout } = array.operand();
  const part = (start: number, extent: number): Layout => ({
    shape: layout.shape.with(axis, extent),
    strides: layout.strides,
    offset: layout.offset + start * (layout.strides[axis] as number),
  });
  const source = part(from, length);
  using target = array.view(array.dtype, part(to, count));
  using read = array.view(array.dtype, mirrored ? flipLayout(source, [axis]) : source);
  assign(target, read);
}
