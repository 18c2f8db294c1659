/** Arrays as NumPy prints them: brackets by axis, columns aligned, lines of 75 characters, and long axes shortened. */
import { sizeOf } from "@cl/core/layouts";
import type { AnyArray } from "./any-array.js";
import { formatElements } from "./format-elements.js";

/** More elements than this are shortened. */
const threshold = 1000;
/** So many of each end of an axis are shown then. */
const edge = 3;
const lineWidth = 75;

/** Resolves to the text. Of a long array only the ends are read. */
export async function format(array: AnyArray, signal: AbortSignal | undefined): Promise<string> {
  const options = signal === undefined ? {} : { signal };
  const shorten = array.size > threshold;
  if (array.size === 0) return "[]";
  const shown = shorten ? ends(array) : array;
  const { shape } = shown;
  const cut = array.shape.map((extent) => shorten && extent > 2 * edge);
  const { dtype } = shown;
  try {
    const { buffer } = await shown.data(options);
    const view = new DataView(buffer);
    const values = Array.from({ length: sizeOf(shape) }, (_, i) => dtype.get(view, i * dtype.itemSize));
    return arrange(formatElements(values, dtype.name, shape.length === 0), shape, cut);
  } finally {
    if (shown !== array) shown.release();
  }
}

/** A copy of the ends of all axes that are long. */
function ends(array: AnyArray): AnyArray {
  const shape = array.shape.map((extent) => Math.min(extent, 2 * edge));
  const result = array.xp.empty(shape, { dtype: array.dtype });
  const halves = (axis: number, from: AnyArray, to: AnyArray): void => {
    if (axis === shape.length) {
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
function arrange(texts: readonly string[], shape: readonly number[], cut: readonly boolean[]): string {
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

/** Words in lines; the last of a line leaves room for a bracket. */
function wrap(words: readonly string[], indent: string, width: number): string {
  let text = "";
  let line = indent;
  for (const [i, word] of words.entries()) {
    const room = i === words.length - 1 ? width : width - 1;
    if (line.length + word.length > room && line.length > indent.length) {
      text += `${line.trimEnd()}\n`;
      line = indent;
    }
    line += i === words.length - 1 ? word : `${word} `;
  }
  return (text + line).slice(indent.length);
}
