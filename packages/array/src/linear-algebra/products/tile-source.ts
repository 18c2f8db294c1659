/** OpenCL C of products on GPUs: the statements for the rows and columns of one work-item. */
import { type DTypeName, typeNamed } from "../../types/dtype-name.js";
import { kindOf, realOf } from "../../types/promote.js";
import { storedType } from "../../kernels/compute-type.js";
import type { Macros } from "../../kernels/macros.js";
import { operandMacros, partsOf, partType, productHead, type ProductTypes } from "./product-source.js";
import product from "./tile.cl";

/** The part of a result that a group has, and how much of it a work-item has. */
export interface Tile {
  readonly rows: number;
  readonly columns: number;
  /** Number of elements of a line in a slice. */
  readonly depth: number;
  /** Rows and columns of one work-item. */
  readonly ownRows: number;
  readonly ownColumns: number;
  /** Number of adjacent ones; the others are in other parts of the tile. */
  readonly vector: number;
  /** Number of groups that a compute unit runs at the same time. */
  readonly together: number;
  /** Speed of a busy compute unit, relative to the fastest tile. */
  readonly speed: number;
  /** The part of this speed that one group reaches alone. */
  readonly alone: number;
}

/** Returns the number of work-items of a group. */
export function itemsOf({ rows, columns, ownRows, ownColumns }: Tile): number {
  return (rows / ownRows) * (columns / ownColumns);
}

/**
 * Returns the tiles for sums of a type, the largest first. All need 33 KiB of local memory or less, and at most half of what there
 * is. Work-items with 128 sums do more with what they read (float32, H100: 48 instead of 44 TFLOP/s), but need 255 registers. The
 * other figures were measured there, too.
 */
export function tilesOf(sum: DTypeName, localMemory: number, has255Registers: boolean): readonly [Tile, ...Tile[]] {
  const { itemSize } = typeNamed(sum);
  if (itemSize === 4) {
    const others = [
      tile([64, 128], [8, 8], { depth: 8, together: 3, speed: 0.93, alone: 0.75 }),
      tile([64, 128], [8, 4], { depth: 16, together: 2, speed: 0.9, alone: 0.9 }),
      tile([32, 64], [4, 4], { depth: 16, together: 5, speed: 0.65, alone: 0.55 }),
    ] as const;
    return has255Registers
      ? [tile([128, 128], [16, 8], { depth: 8, together: 2, speed: 1, alone: 0.87 }), ...others]
      : others;
  }
  const depth = itemSize === 16 ? 8 : 16;
  return [
    tile([64, 64], [4, 4], { depth, together: 1, speed: 1, alone: 1 }),
    tile([32, 32], [2, 2], { depth, together: 1, speed: 0.5, alone: 1 }),
  ];

  function tile(
    [rows, columns]: readonly [number, number],
    [ownRows, ownColumns]: readonly [number, number],
    given: Pick<Tile, "depth" | "together" | "speed" | "alone">,
  ): Tile {
    const vector = Math.min(ownColumns, 16 / typeNamed(realOf(sum)).itemSize);
    const bytes = 2 * given.depth * (rows + columns + 2 * vector) * itemSize;
    const fitting = bytes <= localMemory ? given.depth : given.depth / 2;
    return { rows, columns, ownRows, ownColumns, vector, ...given, depth: fitting };
  }
}

/** The layout of a matrix: contiguous along sums, across them, or neither; and whether it consists of whole aligned vectors. */
export interface MatrixLayout {
  readonly side: "along" | "across" | "neither";
  readonly aligned: boolean;
}

/** What a kernel is made for. Kernels that need not check for exceptions are up to 10 % faster. */
export interface TilePlan {
  readonly types: ProductTypes;
  readonly tile: Tile;
  readonly a: MatrixLayout;
  readonly b: MatrixLayout;
  /** Whether sums consist of whole slices. */
  readonly hasWholeSlices: boolean;
  /** Whether the result is replaced, and its rows consist of whole aligned vectors. */
  readonly storesVectors: boolean;
}

/** The kernel of a plan. */
export function tileSource(plan: TilePlan): string {
  const { types, tile, a, b } = plan;
  const { sum } = types;
  const { rows, columns, depth, ownRows, ownColumns, vector } = tile;
  const part = partType(sum);
  const sides = { a: { extent: rows, own: ownRows }, b: { extent: columns, own: ownColumns } };
  const each = (count: number, of: (k: number) => string): string =>
    Array.from({ length: count }, (_, k) => of(k)).join(" ");
  // The first of the adjacent rows or columns that follow those before the `k`-th.
  const start = (matrix: "a" | "b", k: number): number => (k / sides[matrix].own) * sides[matrix].extent;
  const read = (matrix: "a" | "b", place: string): string =>
    each(partsOf(sum), (p) =>
      each(sides[matrix].own / vector, (g) => {
        const from = `slice_${matrix}[now][${p}][k][${start(matrix, g * vector)} + ${place} * VECTOR]`;
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
    ITEMS: itemsOf(tile),
    HAS_WHOLE_SLICES: plan.hasWholeSlices,
    ROWS: rows,
    COLUMNS: columns,
    DEPTH: depth,
    VECTOR: vector,
    LINES: columns / ownColumns,
    DECLARE_SUMS: each(ownRows, (i) =>
      each(ownColumns, (j) => `PART ${partsOf(sum) === 2 ? `sum${i}_${j}i = 0, ` : ""}sum${i}_${j}r = 0;`),
    ),
    READ_A: read("a", "y"),
    READ_B: read("b", "x"),
    ADD_PRODUCTS: each(ownRows, (i) => each(ownColumns, (j) => add(i, j))),
    STORE_SUMS: each(ownRows, storeRow),
  });
  return `${head}${product}`;

  function storeRow(i: number): string {
    const row = `y * VECTOR + ${start("a", i - (i % vector)) + (i % vector)}`;
    const scalars = (g: number): string =>
      each(vector, (e) => {
        const store = `STORE_SUM(to, row + (column + ${e}) * product.c.column, ${sums(i, g * vector + e)})`;
        return `if (column + ${e} < product.n) { ${store} }`;
      });
    const wide = (g: number): string => {
      const values = Array.from({ length: vector }, (_, e) => `sum${i}_${g * vector + e}r`).join(", ");
      const type = `${part}${vector}`;
      return `if (column < product.n) *(__global ${type} *)(to + row + column) = alpha * (${type})(${values});`;
    };
    const store = (g: number): string =>
      `{ const long column = left + x * VECTOR + ${start("b", g * vector)}; ${plan.storesVectors ? wide(g) : scalars(g)} }`;
    return `if (top + ${row} < product.m) {
      const long row = (top + ${row}) * product.c.row;
      ${each(ownColumns / vector, store)}
    }`;
  }
}

/** Returns the number of elements of a matrix with `extent` lines in a tile that a work-item loads together. */
export function loadWidth(tile: Tile, extent: number, type: DTypeName, side: MatrixLayout["side"]): number {
  if (side === "neither") return 1;
  return Math.min(tile.vector, (extent * tile.depth) / itemsOf(tile), Math.max(1, 16 / typeNamed(type).itemSize));
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
  const { depth } = tile;
  const extent = name === "a" ? tile.rows : tile.columns;
  const items = itemsOf(tile);
  const part = partType(sum);
  const parts = partsOf(sum);
  const width = loadWidth(tile, extent, type, layout.side);
  const count = (extent * depth) / items / width;
  const along = layout.side === "along";
  const all = [...Array(count).keys()];
  const elements = [...Array(width).keys()];
  // Counted through the slice as memory is.
  const places = (v: number): readonly [line: string, step: string] => {
    const id = v === 0 ? "item" : `(item + ${v * items})`;
    return along
      ? [`${id} / ${depth / width}`, `${id} % ${depth / width} * ${width}`]
      : [`${id} % ${extent / width} * ${width}`, `${id} / ${extent / width}`];
  };
  const isWide = width > 1 && layout.aligned && kindOf(sum) !== 4 && (type === "float16" || storedType(type) === part);
  const upper = name.toUpperCase();
  const load = (v: number, e: number, at: string): string => {
    const value = `value_${name}${v}_${e}`;
    if (kindOf(sum) === 4 && kindOf(type) === 4) {
      return `{ const ${upper} z = at_${name}${v}[${at}]; ${value}_0 = z.x; ${value}_1 = ${conjugate ? "-" : ""}z.y; }`;
    }
    const real = `${value}_0 = ${upper}_REAL(at_${name}${v}, ${at});`;
    return parts === 1 ? real : `${real} ${value}_1 = ${upper}_IMAGINARY(at_${name}${v}, ${at});`;
  };
  // Lines after the last are those of the last: their sums are not stored.
  const one = (v: number, e: number): string => {
    if (along || width === 1) return load(v, e, String(e));
    return load(v, e, `min(line_${name}${v} + ${e}, last_${name}) - line_${name}${v}`);
  };
  const none = (v: number, e: number): string =>
    [...Array(parts).keys()].map((p) => `value_${name}${v}_${e}_${p} = 0;`).join(" ");
  const wide = (v: number): string => {
    const value =
      type === "float16"
        ? `vload_half${width}(0, at_${name}${v})`
        : `*(__global const ${part}${width} *)at_${name}${v}`;
    return `{ const ${part}${width} wide = ${value}; ${elements.map((e) => `value_${name}${v}_${e}_0 = wide.s${e};`).join(" ")} }`;
  };
  const find = all.map((v) => {
    const [line, by] = places(v);
    const first = along || width === 1 ? `min(${line}, last_${name})` : line;
    return `const int line_${name}${v} = ${isWide && !along ? `min(${line}, last_${name} + 1 - ${width})` : first}, step_${name}${v} = ${by};
      __global const ${upper} *at_${name}${v} =
        ${name} + (place) + line_${name}${v} * apart_${name} + (start + step_${name}${v}) * step_${name};`;
  });
  const values = all.flatMap((v) =>
    elements.flatMap((e) => [...Array(parts).keys()].map((p) => `value_${name}${v}_${e}_${p}`)),
  );
  const loadWhole = all.map((v) => {
    const body = isWide ? wide(v) : elements.map((e) => one(v, e)).join(" ");
    return `${body} at_${name}${v} += DEPTH * step_${name};`;
  });
  const loadPart = all.flatMap((v) =>
    elements.map((e) => {
      const within = `step_${name}${v}${along ? ` + ${e}` : ""} < partial`;
      return `if (${within}) { ${one(v, e)} } else { ${none(v, e)} }`;
    }),
  );
  const keep = all.flatMap((v) =>
    [...Array(parts).keys()].flatMap((p) => {
      const value = (e: number): string => `value_${name}${v}_${e}_${p}`;
      const [line, by] = places(v);
      const place = (more: string): string => `slice_${name}[buffer][${p}][${by}${more}][${line}]`;
      if (along || width === 1) return elements.map((e) => `${place(` + ${e}`)} = ${value(e)};`);
      const vector = `${part}${width}`;
      return [`*(__local ${vector} *)&${place("")} = (${vector})(${elements.map((e) => value(e)).join(", ")});`];
    }),
  );
  return {
    [`FIND_${upper}(limit, place, apart, step)`]: `const long apart_${name} = ${layout.side === "across" ? 1 : "apart"}, step_${name} = ${along ? 1 : "step"};
      const int last_${name} = (int)min(limit, ${extent}L) - 1;
      ${find.join(" ")} PART ${values.join(", ")};`,
    [`LOAD_${upper}`]: loadWhole.join(" "),
    [`LOAD_PART_OF_${upper}`]: loadPart.join(" "),
    [`KEEP_${upper}(buffer)`]: keep.join(" "),
  };
}
