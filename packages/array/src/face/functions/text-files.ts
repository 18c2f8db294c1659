/** Text files of numbers, such as CSV files. */
import { checkInteger, checkList, checkOptions, checkSignal, checkString, rangeError, typeError } from "@cl/base";
import { checkPath, type Path } from "../../files/path.js";
import { loadText } from "../../files/load-text.js";
import { saveText } from "../../files/save-text.js";
import { checkArray } from "../../storage/check-array.js";
import type { AnyArray, ReadOptions } from "../../storage/array-ref.js";
import { checkArrayType, type DTypeName, type TypedDType } from "../../types/dtype-name.js";
import { Arrays, type DeviceArray } from "../../array/arrays.js";
import { addMethods } from "../../array/add-methods.js";

/** Options of `loadtxt`. */
export interface LoadtxtOptions<D extends DTypeName> extends ReadOptions {
  /**
   * Dtype of the elements.
   * @defaultValue "float64"
   */
  readonly dtype?: D | TypedDType<D>;
  /**
   * Text between two columns.
   * @defaultValue any white space
   */
  readonly delimiter?: string;
  /**
   * Text, or several, that starts a comment; an empty list for none.
   * @defaultValue "#"
   */
  readonly comments?: string | readonly string[];
  /**
   * Number of lines to skip at the start, comments and empty lines included.
   * @defaultValue 0
   */
  readonly skipRows?: number;
  /**
   * Column, or several, to read; negative ones count from the last.
   * @defaultValue all
   */
  readonly useCols?: number | readonly number[];
  /**
   * Maximum number of rows to read, without comments and empty lines.
   * @defaultValue all
   */
  readonly maxRows?: number;
  /**
   * Minimum number of axes of the result; other axes of extent 1 are removed.
   * @defaultValue 0
   */
  readonly ndmin?: 0 | 1 | 2;
}

/** Options of `savetxt`. */
export interface SavetxtOptions extends ReadOptions {
  /**
   * Format of the numbers as in C: one conversion for all columns, a text with one for each column (`delimiter` is then
   * ignored), or a list with a text for each column.
   * @defaultValue "%.18e"
   */
  readonly fmt?: string | readonly string[];
  /**
   * Text between two columns.
   * @defaultValue " "
   */
  readonly delimiter?: string;
  /**
   * Text between two rows.
   * @defaultValue "\n"
   */
  readonly newline?: string;
  /**
   * Text before the rows.
   * @defaultValue ""
   */
  readonly header?: string;
  /**
   * Text after the rows.
   * @defaultValue ""
   */
  readonly footer?: string;
  /**
   * Text before each line of header and footer.
   * @defaultValue "# "
   */
  readonly comments?: string;
}

/** Functions that read and write text files. */
class TextFileFunctions {
  /**
   * Reads numbers from a text file, such as a CSV file. A row without columns, such as an empty line, is ignored. Throws
   * an error that names the line and the column of a text that is not a number.
   *
   * @example
   * ```ts
   * const xp = arrays(queue);
   * const path = new URL("points.csv", folder);
   * await xp.savetxt(path, xp.array([[1, 2.5], [3, 4]]), { fmt: "%g", delimiter: ",", header: "x,y" });
   * console.log(await (await xp.loadtxt(path, { delimiter: "," })).toNested()); // [ [ 1, 2.5 ], [ 3, 4 ] ]
   * ```
   */
  async loadtxt(
    this: Arrays,
    path: Path,
    options?: LoadtxtOptions<"float64"> & { readonly dtype?: "float64" },
  ): Promise<DeviceArray<"float64">>;
  async loadtxt<D extends DTypeName>(this: Arrays, path: Path, options: LoadtxtOptions<D>): Promise<DeviceArray<D>>;
  async loadtxt(this: Arrays, path: Path, options?: LoadtxtOptions<DTypeName>): Promise<DeviceArray> {
    const file = checkPath(path);
    const names = ["dtype", "delimiter", "comments", "skipRows", "useCols", "maxRows", "ndmin", "signal"] as const;
    const given = checkOptions(options, names);
    const { comments = "#", skipRows = 0, maxRows = Infinity, ndmin = 0 } = given;
    if (![0, 1, 2].includes(ndmin)) throw rangeError("options.ndmin", "0, 1 or 2", ndmin);
    const dtype = checkArrayType(given.dtype ?? "float64", "options.dtype");
    const format = {
      dtype,
      delimiter: given.delimiter === undefined ? undefined : checkMark(given.delimiter, "options.delimiter"),
      comments: checkComments(comments),
      skipRows: checkInteger(skipRows, "options.skipRows"),
      maxRows: maxRows === Infinity ? maxRows : checkInteger(maxRows, "options.maxRows"),
      useCols: checkColumns(given.useCols),
      ndmin,
    };
    const { bytes, shape } = await loadText(file, format, checkSignal(given.signal));
    return this.fromHost(bytes, { dtype, shape });
  }

  /**
   * Writes an array of one axis, as a column, or of two axes as a text file. The elements are those at the time of the
   * call. An existing file is replaced atomically.
   */
  async savetxt(this: Arrays, path: Path, array: AnyArray, options?: SavetxtOptions): Promise<void> {
    const file = checkPath(path);
    const own = checkArray(array, this, "array");
    const names = ["fmt", "delimiter", "newline", "header", "footer", "comments", "signal"] as const;
    const given = checkOptions(options, names);
    const { fmt = "%.18e", delimiter = " ", newline = "\n", header = "", footer = "", comments = "# " } = given;
    const format = {
      fmt: typeof fmt === "string" ? fmt : checkTexts(fmt, "options.fmt"),
      delimiter: checkString(delimiter, "options.delimiter"),
      newline: checkString(newline, "options.newline"),
      header: checkString(header, "options.header"),
      footer: checkString(footer, "options.footer"),
      comments: checkString(comments, "options.comments"),
    };
    await saveText(file, own, format, checkSignal(given.signal));
  }
}

declare module "../../array/arrays.js" {
  interface Arrays extends TextFileFunctions {}
}
addMethods(Arrays, TextFileFunctions);

/** A text within a line. */
function checkMark(value: unknown, name: string): string {
  const text = checkString(value, name);
  if (text === "" || /[\r\n]/u.test(text)) throw rangeError(name, "a text within a line", value);
  return text;
}

function checkComments(value: string | readonly string[]): readonly string[] {
  if (typeof value === "string") return [checkMark(value, "options.comments")];
  const texts = checkTexts(value, "options.comments");
  for (const [i, text] of texts.entries()) checkMark(text, `options.comments[${i}]`);
  return texts;
}

function checkTexts(value: unknown, name: string): readonly string[] {
  return checkList(value, name, "a string or a list of strings").map((text, i) => checkString(text, `${name}[${i}]`));
}

function checkColumns(value: number | readonly number[] | undefined): readonly number[] | undefined {
  if (value === undefined) return undefined;
  const lowest = -(2 ** 31);
  if (typeof value === "number") return [checkInteger(value, "options.useCols", lowest)];
  const columns = checkList(value, "options.useCols", "a column or a list of columns");
  if (columns.length === 0) throw typeError("options.useCols", "a list of at least one column", value);
  return columns.map((column, i) => checkInteger(column, `options.useCols[${i}]`, lowest));
}
