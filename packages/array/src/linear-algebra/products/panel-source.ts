/**
 * OpenCL C of products on CPUs. Both matrices are first copied to panels: some rows of the first, some columns of the
 * second, each with the elements that are multiplied together contiguous, converted and padded with zeros. A block of
 * the result then stays in registers while its two panels are read from start to end: 8 rows of two vectors of 64
 * bytes, which are 16 registers, plus two for the second matrix. On two cores of an EPYC with AVX-512 this reaches 85 %
 * of peak; 12 or 14 rows would need every register, and the compiler spills some.
 */
import { type DTypeName, typeNamed } from "../../types/dtype-name.js";
import { storedType } from "../../kernels/compute-type.js";
import { quiet } from "../../kernels/processor-source.js";
import { realOf } from "../../types/promote.js";
import {
  addProduct,
  loadedParts,
  partsOf,
  partType,
  placeType,
  type ProductTypes,
  storeSum,
} from "./product-source.js";

/** How many rows and columns of results stay in registers. */
export interface Block {
  readonly rows: number;
  /** Number of vectors, and of elements of each. */
  readonly vectors: number;
  readonly width: number;
  /** Columns: the product of both. */
  readonly columns: number;
}

/** The block of a type of sums. */
export function blockOf(sum: DTypeName): Block {
  const width = 64 / typeNamed(realOf(sum)).itemSize;
  const vectors = partsOf(sum) === 2 ? 1 : 2;
  return { rows: 8, vectors, width, columns: vectors * width };
}

/** Number of elements of a line that are copied between two branches. */
const copyLength = 256;
/** Panels of the first matrix that are multiplied with one of the second while they are in the caches. */
const blockPanels = 16;
/** Panels of the second matrix that one work-item has. */
const workPanels = 8;
/** Number of elements that are summed before the next block is added; longer panels do not fit into the L1 cache. */
const blockDepth = 512;

/** How many parts work is divided into. */
export function unitsOf(block: Block, m: number, n: number): number {
  const panels = (count: number, by: number): number => Math.ceil(count / by);
  return panels(panels(m, block.rows), blockPanels) * panels(panels(n, block.columns), workPanels);
}

/** Copies lines to panels of `lines` lines; the last argument is their layout. */
export function packSource(from: DTypeName, sum: DTypeName, lines: number, conjugate: boolean): string {
  const part = partType(sum);
  const parts = partsOf(sum);
  const copy = (k: string, i: string): string =>
    loadedParts(from, sum, "from", `at + ${i} * lines.apart + ${k} * lines.step`, conjugate)
      .map((value, p) => `to[place + (${k} * ${parts} + ${p}) * ${lines} + ${i}] = ${value};`)
      .join(" ");
  return `${quiet}
typedef struct {
  long offset, apart, step, count, length, extent[3], batch[3];
} Lines;
__kernel void pack(__global const ${storedType(from)} *const from, __global ${part} *const to, const Lines lines) {
  const long panels = (lines.count + ${lines - 1}) / ${lines}, pieces = (lines.length + ${copyLength - 1}) / ${copyLength};
  const long all = panels * pieces * lines.extent[0] * lines.extent[1] * lines.extent[2];
  const long last = all * (long)(get_global_id(0) + 1) / (long)get_global_size(0);
  for (long unit = all * (long)get_global_id(0) / (long)get_global_size(0); unit < last; unit++) {
    const long start = unit % pieces * ${copyLength}, panel = unit / pieces % panels, matrix = unit / pieces / panels;
    const long rest = matrix / lines.extent[0];
    const long at = lines.offset + matrix % lines.extent[0] * lines.batch[0] + rest % lines.extent[1] * lines.batch[1]
      + rest / lines.extent[1] * lines.batch[2] + panel * ${lines} * lines.apart + start * lines.step;
    const long place = ((matrix * panels + panel) * lines.length + start) * ${parts * lines};
    const int length = (int)min((long)${copyLength}, lines.length - start);
    const int count = (int)min((long)${lines}, lines.count - panel * ${lines});
    if (count == ${lines} && lines.apart == 1) {
      for (int k = 0; k < length; k++) {
        _Pragma("clang loop vectorize(assume_safety)")
        for (int i = 0; i < ${lines}; i++) { ${copy("k", "i").replaceAll("i * lines.apart", "i")} }
      }
      continue;
    }
    for (int i = 0; i < count; i++) {
      for (int k = 0; k < length; k++) { ${copy("k", "i")} }
    }
    for (int k = 0; k < length * ${parts}; k++) {
      for (int i = count; i < ${lines}; i++) to[place + k * ${lines} + i] = 0;
    }
  }
}
`;
}

/** Multiplies panels. */
export function panelSource(types: Pick<ProductTypes, "c" | "sum">): string {
  const { c, sum } = types;
  const { rows, vectors, width, columns } = blockOf(sum);
  const part = partType(sum);
  const parts = partsOf(sum);
  const vector = `${part}${width}`;
  const each = <R>(count: number, of: (k: number) => R): readonly R[] => Array.from({ length: count }, (_, k) => of(k));
  const names = (prefix: string): readonly string[] => each(parts, (p) => `${prefix}${"ri"[p] as string}`);
  const blocks = each(rows, (i) => each(vectors, (j) => names(`c${i}_${j}`)));
  // Halves would be rounded between the parts of a sum.
  const depth = c === "float16" ? "depth" : String(blockDepth);
  const sums = each(parts, (p) => `block[(i * ${parts} + ${p}) * ${columns} + j]`);
  const storing = (step: string): string => storeSum(c, sum, "to", `i * product->c.row + j${step}`, sums);
  return `${quiet}
${placeType}
/* Makes a block of sums of two panels. */
void multiply(__global const ${part} *a, __global const ${part} *b, const int depth, __private ${part} *block) {
  ${blocks
    .flat(2)
    .map((name) => `${vector} ${name} = 0;`)
    .join(" ")}
  for (int k = 0; k < depth; k++) {
    ${each(vectors, (j) =>
      names(`b${j}`).map(
        (name, p) => `const ${vector} ${name} = *(__global const ${vector} *)(b + ${p * columns + j * width});`,
      ),
    )
      .flat()
      .join("\n    ")}
    ${blocks
      .map(
        (row, i) => `{
      ${names("a")
        .map((name, p) => `const ${vector} ${name} = (${vector})a[${p * rows + i}];`)
        .join(" ")}
      ${row.flatMap((into, j) => addProduct(sum, into, names("a"), names(`b${j}`))).join("\n      ")}
    }`,
      )
      .join("\n    ")}
    a += ${parts * rows};
    b += ${parts * columns};
  }
  ${blocks
    .flatMap((row, i) =>
      row.flatMap((list, j) =>
        list.map((name, p) => `*(__private ${vector} *)(block + ${(i * parts + p) * columns + j * width}) = ${name};`),
      ),
    )
    .join("\n  ")}
}
void store(__private const ${part} *block, __global ${storedType(c)} *to, const Product *product, const int rows,
    const int columns, const ${part} alpha, const ${part} beta) {
  if (columns == ${columns} && product->c.column == 1) {
    for (int i = 0; i < rows; i++) {
      _Pragma("clang loop vectorize(assume_safety)")
      for (int j = 0; j < ${columns}; j++) { ${storing("")} }
    }
    return;
  }
  for (int i = 0; i < rows; i++) {
    for (int j = 0; j < columns; j++) { ${storing(" * product->c.column")} }
  }
}
__kernel void product(__global const ${part} *const a, __global const ${part} *const b, __global ${storedType(c)} *const c,
    const Product product, const ${part} alpha, const ${part} beta) {
  const long rows = (product.m + ${rows - 1}) / ${rows}, columns = (product.n + ${columns - 1}) / ${columns};
  const long down = (rows + ${blockPanels - 1}) / ${blockPanels}, across = (columns + ${workPanels - 1}) / ${workPanels};
  const long all = down * across * product.splits * product.extent[0] * product.extent[1] * product.extent[2];
  const long last = all * (long)(get_global_id(0) + 1) / (long)get_global_size(0);
  ${part} block[${rows * parts * columns}] __attribute__((aligned(64)));
  for (long unit = all * (long)get_global_id(0) / (long)get_global_size(0); unit < last; unit++) {
    const long right = unit % across * ${workPanels}, lower = unit / across % down * ${blockPanels};
    const long split = unit / across / down % product.splits, matrix = unit / across / down / product.splits;
    const long start = split * product.depth, end = min(start + product.depth, product.k);
    __global ${storedType(c)} *const to = c + placeOf(product.c, &product, matrix) + split * product.apart;
    const long depth = max(end - start, 1L);
    for (long k = start; k < end || k == start; k += ${depth}) {
      const int length = (int)min((long)${depth}, end - k);
      for (long x = right; x < min(right + ${workPanels}, columns); x++) {
        for (long y = lower; y < min(lower + ${blockPanels}, rows); y++) {
          multiply(a + ((matrix * rows + y) * product.k + k) * ${parts * rows},
            b + ((matrix * columns + x) * product.k + k) * ${parts * columns}, length, block);
          store(block, to + y * ${rows} * product.c.row + x * ${columns} * product.c.column, &product,
            (int)min((long)${rows}, product.m - y * ${rows}), (int)min((long)${columns}, product.n - x * ${columns}),
            alpha, k == start ? beta : (${part})1);
        }
      }
    }
  }
}
`;
}
