/** OpenCL C of products on GPUs: the statements for the rows and columns of one work-item. */
import { type DTypeName, typeNamed } from "../../types/dtype-name.js";
import { kindOf, realOf } from "../../types/promote.js";
import { storedType } from "../../kernels/compute-type.js";
import type { Macros } from "../../kernels/macros.js";
import { operandMacros, partsOf, partType, productHead, type ProductTypes } from "./product-source.js";
import product from "./tile.cl";

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
  const groups = own / vector;
  const each = (count: number, of: (k: number) => string): string =>
    Array.from({ length: count }, (_, k) => of(k)).join(" ");
  const read = (matrix: "a" | "b", place: string): string =>
    each(partsOf(sum), (p) =>
      each(groups, (g) => {
        const from = `slice_${matrix}[now][${p}][k][${g * (extent / groups)} + ${place} * VECTOR]`;
        return `const ${part}${vector} ${matrix}${"ri"[p] as string}${g} = *(__local const ${part}${vector} *)&${from};`;
      }),
    );
  const element = (name: string, i: number): string => `${name}${Math.floor(i / vector)}.s${i % vector}`;
  const sums = (i: number, j: number): string => `sum${i}_${j}r, sum${i}_${j}i`;
  const add = (i: number, j: number): string =>
    `ADD_PRODUCT(${sums(i, j)}, ${element("ar", i)}, ${element("ai", i)}, ${element("br", j)}, ${element("bi", j)});`;
  const head = productHead(sum, {
    ...operandMacros(types),
    ...loaderMacros("a", types.a, types.conjugateA, a, tile, sum),
    ...loaderMacros("b", types.b, types.conjugateB, b, tile, sum),
    ITEMS: tileItems,
    EXTENT: extent,
    DEPTH: depth,
    VECTOR: vector,
    LINES: extent / own,
    DECLARE_SUMS: each(own, (i) =>
      each(own, (j) => `PART ${partsOf(sum) === 2 ? `sum${i}_${j}i = 0, ` : ""}sum${i}_${j}r = 0;`),
    ),
    READ_A: read("a", "y"),
    READ_B: read("b", "x"),
    ADD_PRODUCTS: each(own, (i) => each(own, (j) => add(i, j))),
    STORE_SUMS: each(own, storeRow),
  });
  return `${head}${product}`;

  function storeRow(i: number): string {
    const place = (line: string, k: number): string =>
      `${line} * VECTOR + ${Math.floor(k / vector) * (extent / groups) + (k % vector)}`;
    const scalars = (g: number): string =>
      each(vector, (e) => {
        const store = `STORE_SUM(to, row + (column + ${e}) * product.c.column, ${sums(i, g * vector + e)})`;
        return `if (column + ${e} < product.n) { ${store} }`;
      });
    const wide = (g: number): string => {
      const type = `${part}${vector}`;
      const values = Array.from({ length: vector }, (_, e) => `sum${i}_${g * vector + e}r`).join(", ");
      return `__global ${type} *const place = (__global ${type} *)(to + row + column);
        if (beta == 0 && product.c.column == 1 && column + VECTOR <= product.n && (ulong)place % sizeof(${type}) == 0)
          *place = alpha * (${type})(${values});
        else { ${scalars(g)} }`;
    };
    const isPlain = c === sum && kindOf(c) !== 4;
    const store = (g: number): string =>
      `{ const long column = left + ${place("x", g * vector)}; ${isPlain ? wide(g) : scalars(g)} }`;
    return `if (top + ${place("y", i)} < product.m) {
      const long row = (top + ${place("y", i)}) * product.c.row;
      ${each(groups, store)}
    }`;
  }
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

/** Returns the macros that take a slice of a matrix from memory to registers, and from there to local memory. */
function loaderMacros(
  name: "a" | "b",
  type: DTypeName,
  conjugate: boolean,
  layout: MatrixLayout,
  tile: Tile,
  sum: DTypeName,
): Macros {
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
  const upper = name.toUpperCase();
  const one = (v: number, e: number): string => {
    const at = width === 1 ? `at_${name}${v}` : `at_${name}${v} + ${e} * ${along ? "step" : "apart"}_${name}`;
    const value = `value_${name}${v}_${e}`;
    if (kindOf(sum) === 4 && kindOf(type) === 4) {
      return `{ const ${upper} z = ${name}[${at}]; ${value}_0 = z.x; ${value}_1 = ${conjugate ? "-" : ""}z.y; }`;
    }
    const real = `${value}_0 = ${upper}_REAL(${name}, ${at});`;
    return parts === 1 ? real : `${real} ${value}_1 = ${upper}_IMAGINARY(${name}, ${at});`;
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
  const find = all.map((v) => {
    const [line, by] = places(v);
    return `const int line_${name}${v} = ${line}, step_${name}${v} = ${by};
      long at_${name}${v} = place + line_${name}${v} * apart_${name} + (start + step_${name}${v}) * step_${name};`;
  });
  const values = all.flatMap((v) =>
    elements.flatMap((e) => [...Array(parts).keys()].map((p) => `value_${name}${v}_${e}_${p}`)),
  );
  const load = all.map((v) => {
    const guarded = elements.map((e) => `if (${within(v, e)}) { ${one(v, e)} } else { ${none(v, e)} }`).join(" ");
    const whole = isWide ? wide(v) : elements.map((e) => one(v, e)).join(" ");
    const body = width === 1 ? guarded : `if (${within(v, width - 1)}) { ${whole} } else { ${guarded} }`;
    return `${body} at_${name}${v} += DEPTH * step_${name};`;
  });
  const keep = all.flatMap((v) =>
    [...Array(parts).keys()].flatMap((p) => {
      const value = (e: number): string => `value_${name}${v}_${e}_${p}`;
      const place = (more: string): string => `slice_${name}[buffer][${p}][step_${name}${v}${more}][line_${name}${v}]`;
      if (along || width === 1) return elements.map((e) => `${place(` + ${e}`)} = ${value(e)};`);
      const vector = `${part}${width}`;
      return [`*(__local ${vector} *)&${place("")} = (${vector})(${elements.map((e) => value(e)).join(", ")});`];
    }),
  );
  return {
    [`FIND_${upper}(limit, place, apart, step)`]: `const long count_${name} = limit, apart_${name} = apart, step_${name} = step;
      ${find.join(" ")} PART ${values.join(", ")};`,
    [`LOAD_${upper}`]: load.join(" "),
    [`KEEP_${upper}(buffer)`]: keep.join(" "),
  };
}
