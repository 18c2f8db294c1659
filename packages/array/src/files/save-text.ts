/** Numbers written as text files, such as CSV files. */
import type { Complex } from "@cl/core";
import { outOfRange, typeError } from "@cl/base";
import { writeAtomically } from "@cl/base/files";
import { PrintFormat } from "../text/print-format.js";
import type { AnyArray } from "../storage/array-ref.js";

/** How numbers are written. */
export interface SaveTextFormat {
  /** One conversion for all columns, one for each column in a text, or a list of one text for each column. */
  readonly fmt: string | readonly string[];
  readonly delimiter: string;
  readonly newline: string;
  /** Written before and after the rows. */
  readonly header: string;
  readonly footer: string;
  /** Starts each line of header and footer. */
  readonly comments: string;
}

/** Characters that are collected for one write. */
const pieceLength = 2 ** 18;

/** Writes an array of one or two axes, with its current values. */
export async function saveText(
  path: string,
  array: AnyArray,
  format: SaveTextFormat,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { header, footer, comments, newline } = format;
  if (array.ndim !== 1 && array.ndim !== 2) {
    throw outOfRange(`array must have one or two axes, received shape [${array.shape.join()}]`);
  }
  const [rows = 0, columns = 1] = array.shape;
  const isComplex = array.dtype.name.startsWith("complex");
  const print = rowFormat(format, columns, isComplex);
  const elements = await array.data(signal === undefined ? undefined : { signal });
  const view = new DataView(elements.buffer, elements.byteOffset, elements.byteLength);
  const comment = (text: string): string =>
    text === "" ? "" : `${comments}${text.replaceAll("\n", `\n${comments}`)}${newline}`;
  await writeAtomically(path, async (file) => {
    let piece = comment(header);
    for (let row = 0; row < rows; row++) {
      signal?.throwIfAborted();
      piece += print(numbersOf(array, view, row * columns, columns)) + newline;
      if (piece.length < pieceLength) continue;
      await file.append(Buffer.from(piece));
      piece = "";
    }
    await file.append(Buffer.from(piece + comment(footer)));
  });
}

/** The numbers of a row; a complex number is two. */
function numbersOf({ dtype }: AnyArray, view: DataView, start: number, count: number): readonly (number | bigint)[] {
  const numbers: (number | bigint)[] = [];
  for (let i = start; i < start + count; i++) {
    const value = dtype.get(view, i * dtype.itemSize) as number | bigint | boolean | Complex;
    if (typeof value === "object") numbers.push(value.re, value.im);
    else numbers.push(typeof value === "boolean" ? Number(value) : value);
  }
  return numbers;
}

/** Returns the function that writes the numbers of a row. */
function rowFormat(
  { fmt, delimiter }: SaveTextFormat,
  columns: number,
  isComplex: boolean,
): (numbers: readonly (number | bigint)[]) => string {
  const width = isComplex ? 2 : 1;
  if (typeof fmt !== "string") {
    const formats = fmt.map((text, i) => PrintFormat.parse(text, `options.fmt[${i}]`));
    if (formats.length !== columns || formats.some(({ count }) => count !== width)) {
      throw typeError("options.fmt", `${columns} formats with ${width} conversions each, one for each column`, fmt);
    }
    return (numbers) => formats.map((format, i) => format.print(numbers, width * i)).join(delimiter);
  }
  const whole = PrintFormat.parse(fmt, "options.fmt");
  if (whole.count !== 1) {
    if (whole.count === columns * width) return (numbers) => whole.print(numbers);
    throw typeError("options.fmt", `a format with 1 or ${columns * width} conversions`, fmt);
  }
  if (!isComplex) return (numbers) => Array.from(numbers, (_, i) => whole.print(numbers, i)).join(delimiter);
  // As NumPy writes complex numbers with a single conversion.
  const both = PrintFormat.parse(` (${fmt}+${fmt}j)`, "options.fmt");
  return (numbers) =>
    Array.from({ length: columns }, (_, i) => both.print(numbers, 2 * i).replaceAll("+-", "-")).join(delimiter);
}
