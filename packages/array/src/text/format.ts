/**
 * Arrays as NumPy prints them: brackets by axis, aligned columns, lines of 75 characters, and long axes abbreviated.
 */
import { checkBoolean, checkInteger, checkSignal, sizeOf } from "@cl/base";
import type { DType } from "@cl/core";
import { formatRecords } from "./format-records.js";
import type { AnyArray, ReadOptions } from "../storage/array-ref.js";

/** Print options, as NumPy's `printoptions`. */
export interface FormatOptions extends ReadOptions {
  /**
   * Number of elements above which the output is abbreviated.
   * @defaultValue 1000
   */
  readonly threshold?: number;
  /**
   * Number of elements shown at each end of an abbreviated axis.
   * @defaultValue 3
   */
  readonly edgeItems?: number;
  /**
   * Number of characters per line.
   * @defaultValue 75
   */
  readonly lineWidth?: number;
  /**
   * Maximum number of digits after the decimal point.
   * @defaultValue 8
   */
  readonly precision?: number;
  /**
   * If true, writes small numbers without exponents.
   * @defaultValue false
   */
  readonly suppress?: boolean;
}

/** How arrays are shortened and broken into lines. */
interface Shape {
  readonly shape: readonly number[];
  /** The axes of which only the ends are shown. */
  readonly cut: readonly boolean[];
  readonly edge: number;
  readonly lineWidth: number;
}

/** Resolves to the text. Of a long array only the ends are read. With a type, the last axis is one element of it each. */
export async function format(array: AnyArray, options: FormatOptions, record?: DType): Promise<string> {
  const signal = checkSignal(options.signal);
  const threshold = checkInteger(options.threshold ?? 1000, "options.threshold");
  const edge = checkInteger(options.edgeItems ?? 3, "options.edgeItems", 1);
  const lineWidth = checkInteger(options.lineWidth ?? 75, "options.lineWidth", 1);
  const precision = checkInteger(options.precision ?? 8, "options.precision", 0, 100);
  const suppress = checkBoolean(options.suppress, "options.suppress", false);
  const axes = record === undefined ? array.shape.length : array.shape.length - 1;
  const extents = array.shape.slice(0, axes);
  const shorten = sizeOf(extents) > threshold;
  if (array.size === 0) return "[]";
  const shown = shorten ? ends(array, axes, edge) : array;
  const shape = shown.shape.slice(0, axes);
  const cut = extents.map((extent) => shorten && extent > 2 * edge);
  const dtype = record ?? shown.dtype;
  try {
    const { buffer } = await shown.data(signal === undefined ? {} : { signal });
    const view = new DataView(buffer);
    const values = Array.from({ length: sizeOf(shape) }, (_, i) => dtype.get(view, i * dtype.itemSize));
    const texts = formatRecords(values, dtype, { precision, suppress, alone: shape.length === 0 });
    return arrange(texts, { shape, cut, edge, lineWidth });
  } finally {
    if (shown !== array) shown.release();
  }
}

/** A copy of the ends of all axes that are long. */
function ends(array: AnyArray, axes: number, edge: number): AnyArray {
  const shape = array.shape.map((extent, axis) => (axis < axes ? Math.min(extent, 2 * edge) : extent));
  const result = array.xp.empty(shape, { dtype: array.dtype });
  const halves = (axis: number, from: AnyArray, to: AnyArray): void => {
    if (axis === axes) {
      to.assign(from);
      return;
    }
    const before = Array.from({ length: axis }, () => ":");
    const long = (array.shape[axis] as number) > 2 * edge;
    for (const part of long ? [`:${edge}`, `-${edge}:`] : [":"]) {
      using one = from.slice(...before, part);
      using other = to.slice(...before, part);
      halves(axis + 1, one, other);
    }
  };
  halves(0, array, result);
  return result;
}

/** Puts the texts of elements into brackets and lines. */
function arrange(texts: readonly string[], { shape, cut, edge, lineWidth }: Shape): string {
  let next = 0;
  const nest = (axis: number, indent: string, width: number): string => {
    if (axis === shape.length) return texts[next++] as string;
    const count = shape[axis] as number;
    const last = axis === shape.length - 1;
    const parts: string[] = [];
    for (let i = 0; i < count; i++) {
      if (cut[axis] === true && i === edge) parts.push("...");
      parts.push(nest(axis + 1, `${indent} `, width - 1));
    }
    if (!last) {
      const separator = "\n".repeat(shape.length - axis - 1) + indent;
      return `[${parts.join(separator)}]`;
    }
    return `[${wrap(parts, indent, width)}]`;
  };
  return nest(0, " ", lineWidth);
}

/** Words in lines; each leaves room for a bracket. */
function wrap(words: readonly string[], indent: string, width: number): string {
  let text = "";
  let line = indent;
  for (const [i, word] of words.entries()) {
    if (line.length + word.length > width - 1 && line.length > indent.length) {
      text += `${line.trimEnd()}\n`;
      line = indent;
    }
    line += i === words.length - 1 ? word : `${word} `;
  }
  return (text + line).slice(indent.length);
}
