/** OpenCL C of scans of columns: each work-item has some adjacent columns, or a chunk of them. */
import { quiet } from "../kernels/processor-source.js";
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
  const segments = start !== undefined;
  const index = short ? "int" : "long";
  const list = (name: string): string => `  ${index} ${name}[${operands}];`;
  const declarations = [...parameters, "__global Part_ *const parts", "const Places places"].join(", ");
  // One column is a variable, several are an array.
  const [part, each] =
    width === 1
      ? ["running", ""]
      : ["running[c - from]", `_Pragma("clang loop vectorize(assume_safety)") for (${index} c = from; c < to; c++) `];
  const inRow = Array.from(
    { length: operands },
    (_, k) =>
      `const ${index} place${k} = places.offset[${k}] + block * places.outer_stride[${k}] + row * places.step[${k}];`,
  ).join("\n    ");
  const begin = `  const ${index} unit = (${index})get_global_id(0);
  if (unit >= places.tiles * places.chunks * places.outer) return;
  const ${index} tile = unit % places.tiles, piece = unit / places.tiles;
  const ${index} chunk = piece % places.chunks, block = piece / places.chunks;
  const ${index} from = tile * places.width, to = min(from + places.width, places.inner);
  const ${index} first = (${index})((long)places.length * chunk / places.chunks);
  const ${index} end = (${index})((long)places.length * (chunk + 1) / places.chunks);
  ${width === 1 ? `const ${index} c = from;\n  Part_ running = NOTHING_;` : `Part_ running[${width}];\n  ${each}${part} = NOTHING_;`}`;
  return `${quiet}
${scanHead(texts, segments)}
/* Counted in elements. */
typedef struct {
  ${index} outer, length, inner, chunks, tiles, width;
${["offset", "outer_stride", "step", "inner_stride"].map(list).join("\n")}
} Places;

__kernel void column_totals(${declarations}) {
${begin}
  for (${index} row = first; row < end; row++) {
    ${inRow}
    ${each}{
      const Item_ value_ = ${value};
      const Part_ own = PART_(value_, ${start ?? "0"});
      ${part} = JOIN_(${part}, own);
    }
  }
  ${each}parts[piece * places.inner + c] = ${part};
}

__kernel void column_items(${declarations}) {
${begin}
  for (${index} earlier = piece - chunk; earlier < piece; earlier++) {
    ${each}${part} = JOIN_(${part}, parts[earlier * places.inner + c]);
  }
  for (${index} row = first; row < end; row++) {
    ${inRow}
    ${each}{
      const Item_ value_ = ${value};
      ${segments ? `if (${start}) ${part} = NOTHING_;` : ""}
      const Item_ before = VALUE_(${part});
      const Item_ item = combine_(before, value_);
      ${part} = PART_(item, 0);
      ${output}
    }
  }
}
`;
}
