/** Numbers of text files, such as CSV files, as host memory of a shape. */
import { badFile } from "./bad-file.js";
import { TextElements } from "./text-elements.js";
import { type TextRow, type TextRowFormat, textRows } from "./text-rows.js";
import type { DTypeName, TypedDType } from "../types/dtype-name.js";

/** How a text file is read. */
export interface TextFormat extends TextRowFormat {
  readonly dtype: TypedDType<DTypeName>;
  /** Columns to read, in this order; negative ones count from the last. Undefined for all. */
  readonly useCols: readonly number[] | undefined;
  /** Minimum number of axes of the result. */
  readonly ndmin: 0 | 1 | 2;
}

/** Elements in C order. */
export interface HostElements {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly shape: readonly number[];
}

/** Reads the elements of a text file. */
export async function loadText(
  path: string,
  format: TextFormat,
  signal: AbortSignal | undefined,
): Promise<HostElements> {
  const { dtype, useCols } = format;
  const elements = new TextElements(dtype);
  let rows = 0;
  let columns = useCols?.length;
  for await (const row of textRows(path, format, signal)) {
    columns ??= row.fields.length;
    if (useCols === undefined && row.fields.length !== columns) {
      throw badFile(
        path,
        `has ${row.fields.length} instead of ${columns} columns in line ${row.line}; use options.useCols to select columns`,
      );
    }
    for (let i = 0; i < columns; i++) appendField(path, elements, row, useCols?.[i] ?? i, dtype.name);
    rows++;
  }
  return { bytes: elements.bytes, shape: shapeOf(rows, columns ?? 1, format.ndmin) };
}

function appendField(path: string, elements: TextElements, row: TextRow, column: number, type: DTypeName): void {
  const { line, fields } = row;
  const at = column < 0 ? column + fields.length : column;
  const text = fields[at]?.trim();
  if (text === undefined) {
    throw badFile(path, `has no column ${column} in line ${line}, whose number of columns is ${fields.length}`);
  }
  let cause: unknown;
  try {
    if (elements.append(text)) return;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    cause = error;
  }
  throw badFile(
    path,
    `has ${JSON.stringify(text)} in line ${line}, column ${at + 1}, which cannot be read as ${type}`,
    cause,
  );
}

/** As NumPy: axes of extent 1 are removed down to `ndmin`, and a file without rows has no elements. */
function shapeOf(rows: number, columns: number, ndmin: 0 | 1 | 2): readonly number[] {
  if (rows === 0) return ndmin === 2 ? [0, columns] : [0];
  if (ndmin === 2 || (rows > 1 && columns > 1)) return [rows, columns];
  const size = rows * columns;
  return size === 1 && ndmin === 0 ? [] : [size];
}
