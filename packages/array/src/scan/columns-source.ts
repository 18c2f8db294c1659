/** OpenCL C of scans of columns: each work-item has some adjacent columns, or a chunk of them. */
import { macros } from "../kernels/macros.js";
import { quiet } from "../kernels/processor-source.js";
import columns from "./columns.cl";
import { scanHead } from "./scan-texts.js";

/** What the program is made of. Texts may use `c`, a column's number, and `place0` …, where the row's first element is. */
export interface ColumnTexts {
  readonly head: string;
  readonly item: string;
  readonly identity: string;
  readonly combine: (a: string, b: string) => string;
  readonly value: string;
  readonly start: string | undefined;
  /** With `item` and `before`. */
  readonly output: string;
  readonly parameters: readonly string[];
  readonly operands: number;
  /** Columns of a work-item at most. */
  readonly width: number;
  readonly short: boolean;
}

/** The program: `column_totals` and `column_items`. */
export function columnsSource(texts: ColumnTexts): string {
  const { parameters, operands, width, short, start, value, output } = texts;
  const index = short ? "int" : "long";
  const rows = Array.from({ length: operands }, (_, k) => {
    const place = `places.offset[${k}] + block * places.outer_stride[${k}] + row * places.step[${k}]`;
    return `const ${index} place${k} = ${place};`;
  });
  const names = {
    INDEX: index,
    OPERANDS: operands,
    WIDTH: width,
    PARAMETERS: parameters.join(", "),
    FIND_ROW: rows.join(" "),
    VALUE: value,
    STARTS: start ?? "0",
    STORE: output,
  };
  return `${quiet}\n${scanHead(texts, start !== undefined)}${macros(names)}${columns}`;
}
