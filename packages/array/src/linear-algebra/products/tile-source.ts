/**
 * OpenCL C of products on GPUs. A work-group of 256 work-items computes a tile of the result. Both matrices are
 * processed in steps: a slice of some rows of the first and one of some columns of the second are converted and stored
 * in local memory, and each work-item multiplies a few rows of the one with a few columns of the other, with the sums
 * in registers. While a slice is multiplied the next one is loaded; it goes to another part of local memory, so one
 * barrier for each step is enough.
 */
import { type DTypeName, typeNamed } from "../../types/dtype-name.js";
import { kindOf, realOf } from "../../types/promote.js";
import { storedType } from "../../kernels/compute-type.js";
import {
  addProduct,
  loadedParts,
  partsOf,
  partType,
  placeType,
  productParameters,
  type ProductTypes,
  storeSum,
} from "./product-source.js";

/** Work-items of a group. */
export const tileItems = 256;

/** The part of a result that a group has, and how much of it a work-item has. Tiles are squares, and so are these parts. */
export interface Tile {
  readonly extent: number;
  readonly depth: number;
  /** Rows and columns of one work-item. */
  readonly own: number;
  /** Number of adjacent ones; the others are as many in another part of the tile. */
  readonly vector: number;
}

/**
 * The tile for sums of a type: no more than 64 sums in registers, and 33 KiB of local memory, or half of it where that is more
 * than there is. Small ones are a quarter of it.
 */
export function tileOf(sum: DTypeName, small: boolean, localMemory: number): Tile {
  const { itemSize } = typeNamed(sum);
  const own = (itemSize === 4 ? 8 : 4) / (small ? 2 : 1);
  const extent = 16 * own;
  const vector = Math.min(own, 16 / typeNamed(realOf(sum)).itemSize);
  const depth = itemSize === 16 ? 8 : 16;
  const bytes = 4 * depth * (extent + vector) * itemSize;
  return { extent, depth: bytes <= localMemory ? depth : depth / 2, own, vector };
}

/** The layout of a matrix: contiguous along sums, across them, or neither; and whether its vectors are aligned. */
export interface MatrixLayout {
  readonly side: "along" | "across" | "neither";
  readonly aligned: boolean;
}

/** The kernel of a tile. */
export function tileSource(types: ProductTypes, tile: Tile, a: MatrixLayout, b: MatrixLayout): string {
  const { sum, c } = types;
  const { extent, depth, own, vector } = tile;
  const part = partType(sum);
  const parts = partsOf(sum);
  const lines = extent / own;
  const groups = own / vector;
  const each = <R>(count: number, of: (k: number) => R): readonly R[] => Array.from({ length: count }, (_, k) => of(k));
  const names = (prefix: string): readonly string[] => each(parts, (p) => `${prefix}${"ri"[p] as string}`);
  const read = (matrix: "a" | "b", place: string): string =>
    each(parts, (p) =>
      each(
        groups,
        (g) =>
          `const ${part}${vector} ${matrix}${"ri"[p] as string}${g} = *(__local const ${part}${vector} *)&slice_${matrix}[now][${p}][k][${g * (extent / groups)} + ${place} * ${vector}];`,
      ),
    )
      .flat()
      .join("\n        ");
  const element = (matrix: "a" | "b", i: number): readonly string[] =>
    names(matrix).map((name) => `${name}${Math.floor(i / vector)}.s${i % vector}`);
  const left = loader("a", types.a, types.conjugateA, a, tile, sum);
  const right = loader("b", types.b, types.conjugateB, b, tile, sum);
  const isPlain = c === sum && kindOf(c) !== 4;
  return `${placeType}
__kernel __attribute__((reqd_work_group_size(${tileItems}, 1, 1)))
void product(${productParameters(types)}) {
  __local ${part} slice_a[2][${parts}][${depth}][${extent + vector}] __attribute__((aligned(16)));
  __local ${part} slice_b[2][${parts}][${depth}][${extent + vector}] __attribute__((aligned(16)));
  const int item = (int)get_local_id(0), x = item % ${lines}, y = item / ${lines};
  const long across = (product.n + ${extent - 1}) / ${extent}, down = (product.m + ${extent - 1}) / ${extent};
  const long rest = (long)get_group_id(0) / (across * down), number = (long)get_group_id(0) % (across * down);
  const long split = rest % product.splits, matrix = rest / product.splits;
  /* Groups that run at the same time have tiles near to each other, which share slices. */
  const long strip = number / (8 * across), height = min(8L, down - 8 * strip);
  const long top = (8 * strip + number % (8 * across) % height) * ${extent}, left = number % (8 * across) / height * ${extent};
  const long start = split * product.depth, end = min(start + product.depth, product.k);
  ${left.head("product.m - top", "placeOf(product.a, &product, matrix) + top * product.a.row", "product.a.row", "product.a.column")}
  ${right.head("product.n - left", "placeOf(product.b, &product, matrix) + left * product.b.column", "product.b.column", "product.b.row")}
  ${each(own, (i) => each(own, (j) => names(`sum${i}_${j}`)))
    .flat(2)
    .map((name) => `${part} ${name} = 0;`)
    .join(" ")}
  int now = 0;
  {
    const long from = start;
    ${left.load}
    ${right.load}
  }
  ${left.keep("0")}
  ${right.keep("0")}
  barrier(CLK_LOCAL_MEM_FENCE);
  for (long from = start + ${depth}; from < end + ${depth}; from += ${depth}) {
    const bool more = from < end;
    if (more) {
      ${left.load}
      ${right.load}
    }
#ifdef __NV_CL_C_VERSION
#pragma unroll
#endif
    for (int k = 0; k < ${depth}; k++) {
        ${read("a", "y")}
        ${read("b", "x")}
        ${each(own, (i) =>
          each(own, (j) => addProduct(sum, names(`sum${i}_${j}`), element("a", i), element("b", j)).join(" ")),
        )
          .flat()
          .join("\n        ")}
    }
    if (more) {
      ${left.keep("1 - now")}
      ${right.keep("1 - now")}
      barrier(CLK_LOCAL_MEM_FENCE);
      now = 1 - now;
    }
  }
  __global ${storedType(c)} *const to = c + placeOf(product.c, &product, matrix) + split * product.apart;
  ${each(own, (i) => storeRow(i)).join("\n  ")}
}
`;

  function storeRow(i: number): string {
    const place = (line: string, k: number): string =>
      `${line} * ${vector} + ${Math.floor(k / vector) * (extent / groups) + (k % vector)}`;
    const scalars = (g: number): string =>
      each(vector, (e) => {
        const j = g * vector + e;
        const store = storeSum(c, sum, "to", `row + (column + ${e}) * product.c.column`, names(`sum${i}_${j}`));
        return `if (column + ${e} < product.n) { ${store} }`;
      }).join("\n      ");
    const wide = (
      g: number,
    ): string => `__global ${part}${vector} *const place = (__global ${part}${vector} *)(to + row + column);
      if (beta == 0 && product.c.column == 1 && column + ${vector} <= product.n && (ulong)place % ${vector * typeNamed(realOf(sum)).itemSize} == 0)
        *place = alpha * (${part}${vector})(${each(vector, (e) => names(`sum${i}_${g * vector + e}`)[0] as string).join(", ")});
      else {
      ${scalars(g)}
      }`;
    return `if (top + ${place("y", i)} < product.m) {
    const long row = (top + ${place("y", i)}) * product.c.row;
    ${each(groups, (g) => `{ const long column = left + ${place("x", g * vector)};\n      ${isPlain ? wide(g) : scalars(g)} }`).join("\n    ")}
  }`;
  }
}

/** Statements that take a slice of a matrix from memory to registers, and from there to local memory. */
interface Loader {
  head(count: string, place: string, apart: string, step: string): string;
  readonly load: string;
  keep(buffer: string): string;
}

/** Returns the number of elements of a matrix that a work-item loads together. */
export function loadWidth(
  { extent, depth, vector }: Tile,
  type: DTypeName,
  { side }: Pick<MatrixLayout, "side">,
): number {
  if (side === "neither") return 1;
  return Math.min(vector, (extent * depth) / tileItems, Math.max(1, 16 / typeNamed(type).itemSize));
}

function loader(
  name: "a" | "b",
  type: DTypeName,
  conjugate: boolean,
  layout: MatrixLayout,
  tile: Tile,
  sum: DTypeName,
): Loader {
  const { extent, depth } = tile;
  const part = partType(sum);
  const parts = partsOf(sum);
  const width = loadWidth(tile, type, layout);
  const count = (extent * depth) / tileItems / width;
  const along = layout.side === "along";
  const all = [...Array(count).keys()];
  const elements = [...Array(width).keys()];
  // Counted through the slice as memory is.
  const places = (v: number): readonly [line: string, step: string] => {
    const id = v === 0 ? "item" : `(item + ${v * tileItems})`;
    return along
      ? [`${id} / ${depth / width}`, `${id} % ${depth / width} * ${width}`]
      : [`${id} % ${extent / width} * ${width}`, `${id} / ${extent / width}`];
  };
  const isWide = width > 1 && layout.aligned && kindOf(sum) !== 4 && (type === "float16" || storedType(type) === part);
  const one = (v: number, e: number): string => {
    const at = `at_${name}${v} + ${e}${width === 1 ? "" : ` * ${along ? "step" : "apart"}_${name}`}`;
    const index = width === 1 ? `at_${name}${v}` : at;
    if (kindOf(sum) === 4 && kindOf(type) === 4) {
      const value = `value_${name}${v}_${e}`;
      return `{ const ${storedType(type)} z = ${name}[${index}]; ${value}_0 = z.x; ${value}_1 = ${conjugate ? "-" : ""}z.y; }`;
    }
    return loadedParts(type, sum, name, index, conjugate)
      .map((value, p) => `value_${name}${v}_${e}_${p} = ${value};`)
      .join(" ");
  };
  const none = (v: number, e: number): string =>
    [...Array(parts).keys()].map((p) => `value_${name}${v}_${e}_${p} = 0;`).join(" ");
  const wide = (v: number): string => {
    const value =
      type === "float16"
        ? `vload_half${width}(0, ${name} + at_${name}${v})`
        : `*(__global const ${part}${width} *)(${name} + at_${name}${v})`;
    return `const ${part}${width} wide = ${value}; ${elements.map((e) => `value_${name}${v}_${e}_0 = wide.s${e};`).join(" ")}`;
  };
  const within = (v: number, e: number): string =>
    along
      ? `line_${name}${v} < count_${name} && from + step_${name}${v} + ${e} < end`
      : `line_${name}${v} + ${e} < count_${name} && from + step_${name}${v} < end`;
  return {
    head: (limit, place, apart, step) =>
      [
        `const long count_${name} = ${limit}, apart_${name} = ${apart}, step_${name} = ${step};`,
        ...all.map((v) => {
          const [line, by] = places(v);
          return `const int line_${name}${v} = ${line}, step_${name}${v} = ${by};
  long at_${name}${v} = ${place} + line_${name}${v} * apart_${name} + (start + step_${name}${v}) * step_${name};`;
        }),
        `${part} ${all.flatMap((v) => elements.flatMap((e) => [...Array(parts).keys()].map((p) => `value_${name}${v}_${e}_${p}`))).join(", ")};`,
      ].join("\n  "),
    load: all
      .map((v) => {
        const guarded = elements
          .map((e) => `if (${within(v, e)}) { ${one(v, e)} } else { ${none(v, e)} }`)
          .join("\n      ");
        const whole = isWide ? wide(v) : elements.map((e) => one(v, e)).join(" ");
        const test = within(v, width - 1);
        const body = width === 1 ? guarded : `if (${test}) { ${whole} } else {\n      ${guarded}\n      }`;
        return `${body}\n      at_${name}${v} += ${depth} * step_${name};`;
      })
      .join("\n      "),
    keep: (buffer) =>
      all
        .flatMap((v) =>
          [...Array(parts).keys()].flatMap((p) => {
            const value = (e: number): string => `value_${name}${v}_${e}_${p}`;
            const place = (more: string): string =>
              `slice_${name}[${buffer}][${p}][step_${name}${v}${more}][line_${name}${v}]`;
            if (along || width === 1) return elements.map((e) => `${place(` + ${e}`)} = ${value(e)};`);
            const vector = `${part}${width}`;
            return [`*(__local ${vector} *)&${place("")} = (${vector})(${elements.map((e) => value(e)).join(", ")});`];
          }),
        )
        .join("\n      "),
  };
}
