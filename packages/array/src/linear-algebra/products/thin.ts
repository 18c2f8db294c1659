/** Products with one row or one column: dot products with the matrix's lines, at memory bandwidth. */
import { type Layout, transposeLayout } from "@cl/base";
import { operation } from "../../expression/build.js";
import { cast, input } from "../../expression/expression.js";
import type { Operand } from "../../storage/operand.js";
import { reduceArray } from "../../reductions/reduce-array.js";
import { dotted } from "../../reductions/reducers/sums.js";
import { type DTypeName, typeNamed } from "../../types/dtype-name.js";
import { promote } from "../../types/promote.js";
import { multiply } from "./multiply.js";
import type { Product } from "./product.js";
import type { ArraySource } from "../../storage/array-ref.js";

/** Smaller products are made by the kernel for small matrices. */
const minProducts = 4096;

/** Enqueues `c = a b` for matrices along the last two axes, all of which have the same batch. */
export function multiplyMatrices(xp: ArraySource, product: Pick<Product, "a" | "b" | "c">): void {
  const { a, b, c } = product;
  const [m, n] = c.layout.shape.slice(-2) as [number, number];
  const k = a.layout.shape.at(-1) as number;
  if ((m > 1 && n > 1) || m * n * k < minProducts) {
    multiply(xp, product);
    return;
  }
  // Lines along the sums: those of the matrix first, which has the shape of what is summed up.
  const lines = { ...b, layout: swapped(b.layout) };
  const inputs = n === 1 ? ([a, lines] as const) : ([lines, a] as const);
  sumProducts(xp, inputs, [c.layout.shape.length - 1], { ...c, layout: without(c.layout, n === 1 ? -1 : -2) });
}

/** Enqueues the sums of products over axes of the first operand's shape, to which the other is broadcast. */
export function sumProducts(
  xp: ArraySource,
  operands: readonly [Operand, ...Operand[]],
  axes: readonly number[],
  into: Operand,
): void {
  const result = operands.map(({ dtype }) => dtype).reduce((one, other) => promote(one, other));
  // Products of halves are not rounded before they are added.
  const type: DTypeName = result === "float16" ? "float32" : result;
  const [first, ...others] = operands.map(({ storage, dtype, layout }) => xp.wrap(storage, typeNamed(dtype), layout));
  const views = [first as NonNullable<typeof first>, ...others] as const;
  const out = xp.wrap(into.storage, typeNamed(into.dtype), into.layout);
  try {
    const value = views
      .map((view, i) => cast(input(i, view.dtype.name), type))
      .reduce((one, other) => operation("multiply", [one, other], []));
    reduceArray({ reduction: dotted(type), value, inputs: views, dtype: into.dtype }, { axis: axes, out });
  } finally {
    for (const view of [...views, out]) view.release();
  }
}

function swapped(layout: Layout): Layout {
  const order = [...layout.shape.keys()];
  const last = order.length - 1;
  return transposeLayout(layout, [...order.slice(0, -2), last, last - 1]);
}

function without({ shape, strides, offset }: Layout, axis: number): Layout {
  const at = shape.length + axis;
  return { shape: shape.toSpliced(at, 1), strides: strides.toSpliced(at, 1), offset };
}
