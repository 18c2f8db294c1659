/** The geometry of a matrix product: strides along rows, columns and batches, in elements. */
import { outOfRange } from "@cl/base";
import type { Operand } from "../../storage/operand.js";
import { collapse } from "../../kernels/collapse.js";
import { type DTypeName, typeNamed } from "../../types/dtype-name.js";
import { kindOf } from "../../types/promote.js";

/** What is multiplied: `c = alpha a b + beta c` for each matrix of a batch. All have the same axes before the last two. */
export interface Product {
  readonly a: Operand;
  readonly b: Operand;
  readonly c: Operand;
  /**
   * Factor of the product.
   * @defaultValue 1
   */
  readonly alpha?: number;
  /**
   * Factor of the previous value of `c`, which is not read if this is 0.
   * @defaultValue 0
   */
  readonly beta?: number;
  readonly conjugateA?: boolean;
  readonly conjugateB?: boolean;
}

/** One matrix of each batch: where the first is, and how far apart rows, columns and matrices are. */
export interface Place {
  readonly offset: number;
  readonly row: number;
  readonly column: number;
  /** By axes of the batch, the innermost first. */
  readonly batch: readonly number[];
}

/** A product as numbers. */
export interface Geometry {
  readonly m: number;
  readonly n: number;
  readonly k: number;
  /** The innermost axis first. */
  readonly extents: readonly number[];
  readonly a: Place;
  readonly b: Place;
  readonly c: Place;
}

/** Number of batch axes that kernels iterate over. */
const batchAxes = 3;

/** The geometry, with as few axes of batches as there can be. */
export function geometryOf({ a, b, c }: Product): Geometry {
  const [m, n] = c.layout.shape.slice(-2) as [number, number];
  const k = a.layout.shape.at(-1) as number;
  const all = [a, b, c];
  const itemSizes = all.map(({ dtype }) => typeNamed(dtype).itemSize);
  const axes = collapse(
    all.map(({ layout }) => ({
      shape: layout.shape.slice(0, -2),
      strides: layout.strides.slice(0, -2),
      offset: layout.offset,
    })),
    itemSizes,
  );
  const [first, second, third] = all.map(({ layout }, i): Place => {
    const [row, column] = layout.strides.slice(-2).map((stride) => stride / (itemSizes[i] as number));
    return {
      offset: axes.offsets[i] as number,
      row: row as number,
      column: column as number,
      batch: axes.strides[i] as readonly number[],
    };
  }) as [Place, Place, Place];
  return folded({ m, n, k, extents: axes.extents, a: first, b: second, c: third });
}

/** The same with matrices that are multiplied with one and the same as more rows, or more columns, of one product. */
function folded(given: Geometry): Geometry {
  const { a, b, c, extents, m, n } = given;
  if (extents.length === 0) return given;
  const extent = extents[0] as number;
  const rest = { ...given, extents: extents.slice(1), a: inner(a), b: inner(b), c: inner(c) };
  if (b.batch[0] === 0 && follows(a.batch[0], m, a.row) && follows(c.batch[0], m, c.row)) {
    return folded({ ...rest, m: m * extent });
  }
  if (a.batch[0] === 0 && follows(b.batch[0], n, b.column) && follows(c.batch[0], n, c.column)) {
    return folded({ ...rest, n: n * extent });
  }
  return given;
}

function inner(place: Place): Place {
  return { ...place, batch: place.batch.slice(1) };
}

function follows(distance: number | undefined, count: number, step: number): boolean {
  return distance === count * step;
}

/** The product of the transposed matrices in the other order, which is the same. */
export function turned({ m, n, k, extents, a, b, c }: Geometry): Geometry {
  return { m: n, n: m, k, extents, a: transposed(b), b: transposed(a), c: transposed(c) };
}

function transposed({ offset, row, column, batch }: Place): Place {
  return { offset, row: column, column: row, batch };
}

/** A geometry for each matrix of those axes of a batch that kernels do not go through. */
export function eachOuter(geometry: Geometry): readonly Geometry[] {
  const { extents } = geometry;
  if (extents.length <= batchAxes) return [geometry];
  const last = extents.length - 1;
  const at = (place: Place, i: number): Place => ({
    ...place,
    offset: place.offset + i * (place.batch[last] as number),
    batch: place.batch.slice(0, last),
  });
  return Array.from({ length: extents[last] as number }, (_, i) => i).flatMap((i) =>
    eachOuter({
      ...geometry,
      extents: extents.slice(0, last),
      a: at(geometry.a, i),
      b: at(geometry.b, i),
      c: at(geometry.c, i),
    }),
  );
}

/** A list with as many numbers as kernels want. */
export function padded(list: readonly number[], by: number): readonly number[] {
  return [...list, ...Array<number>(batchAxes - list.length).fill(by)];
}

/** In which type sums of products are made: halves as floats, small integers as 32 bits, which wrap around to the same. */
export function sumType(dtype: DTypeName): DTypeName {
  if (dtype === "float16") return "float32";
  if (kindOf(dtype) > 2) return dtype;
  return typeNamed(dtype).itemSize === 8 ? "uint64" : "uint32";
}

/** Throws for matrices that do not fit. */
export function checkInner(a: readonly number[], b: readonly number[], what: string): void {
  const [k, other] = [a.at(-1), b.length === 1 ? b[0] : b.at(-2)];
  if (k === other) return;
  throw outOfRange(
    `${what} needs as many columns in the first as rows in the second, received ${k} and ${other} (shapes [${a.join()}] and [${b.join()}])`,
  );
}
