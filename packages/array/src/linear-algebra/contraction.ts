/**
 * Sums of products over labeled axes: the implementation of einsum, tensordot and others. Arrays are contracted in
 * pairs, as matrix products if possible: axes that both arrays and the result have are batch axes; those that are
 * summed over, and those that only one array has, are merged into one axis each, by views where the strides allow it.
 */
import { type Layout, sizeOf } from "@cl/base";
import { assign } from "../elementwise/assign.js";
import { operation } from "../expression/build.js";
import { cast, input } from "../expression/expression.js";
import type { Operand } from "../storage/operand.js";
import { runExpressions } from "../kernels/run-expression.js";
import { checkComputable } from "../types/capabilities.js";
import { typeNamed } from "../types/dtype-name.js";
import { promote, realOf } from "../types/promote.js";
import { cheapestPair } from "./contraction-order.js";
import { partialType } from "./products/splits.js";
import { multiplyMatrices, sumProducts } from "./products/thin.js";
import type { AnyArray, ArraySource } from "../storage/array-ref.js";

/** An array whose axes have names, no two the same. */
export interface Term {
  readonly operand: Operand;
  readonly labels: readonly string[];
}

/** The extents of named axes; those of terms are the same, or 1. */
export type Extents = ReadonlyMap<string, number>;

/** Enqueues the sum of products of all terms; `into` has an axis for each label of `output`, and shares no memory with them. */
export function contract(xp: ArraySource, terms: readonly Term[], output: readonly string[], into: Operand): void {
  for (const { operand } of [...terms, { operand: into }]) {
    checkComputable(xp.queue.device, realOf(operand.dtype), "a product");
  }
  if (sizeOf(into.layout.shape) === 0) return;
  new Contraction(xp, extentsOf(terms)).run(terms, output, into);
}

/** The largest extent of each label. */
export function extentsOf(
  terms: readonly { readonly labels: readonly string[]; readonly operand: Operand }[],
): Extents {
  const extents = new Map<string, number>();
  for (const { labels, operand } of terms) {
    for (const [axis, label] of labels.entries()) {
      const extent = operand.layout.shape[axis] as number;
      const known = extents.get(label) ?? 1;
      extents.set(label, known === 1 ? extent : known);
    }
  }
  return extents;
}

class Contraction {
  readonly #xp: ArraySource;
  readonly #extents: Extents;
  /** What is released once everything is enqueued. */
  readonly #own: AnyArray[] = [];

  constructor(xp: ArraySource, extents: Extents) {
    this.#xp = xp;
    this.#extents = extents;
  }

  run(terms: readonly Term[], output: readonly string[], into: Operand): void {
    try {
      const left = terms.map((term) => this.#withoutRepeated(term));
      while (left.length > 2) {
        const [i, j] = cheapestPair(
          left.map(({ labels }) => labels),
          output,
          this.#extents,
        );
        const [one, other] = [left[i] as Term, left[j] as Term];
        const others = left.filter((_, k) => k !== i && k !== j);
        const needed = new Set([...output, ...others.flatMap(({ labels }) => labels)]);
        const labels = [...new Set([...one.labels, ...other.labels])].filter((label) => needed.has(label));
        left.splice(0, left.length, ...others, this.#joined(one, other, labels));
      }
      const [one, other] = left as [Term, Term | undefined];
      if (other === undefined) this.#sum(one, output, into);
      else this.#join(one, other, output, into);
    } finally {
      for (const array of this.#own) array.release();
    }
  }

  /** Without axes of one element that others have more of. */
  #withoutRepeated({ operand, labels }: Term): Term {
    const kept = labels.filter((label, axis) => operand.layout.shape[axis] === this.#extents.get(label));
    return { operand: { ...operand, layout: pickedLayout({ operand, labels }, kept) }, labels: kept };
  }

  #joined(one: Term, other: Term, labels: readonly string[]): Term {
    const [batch, rows, columns] = [
      labels.filter((label) => one.labels.includes(label) && other.labels.includes(label)),
      labels.filter((label) => !other.labels.includes(label)),
      labels.filter((label) => !one.labels.includes(label)),
    ];
    const order = [...batch, ...rows, ...columns];
    const dtype = partialType(promote(one.operand.dtype, other.operand.dtype));
    const operand = this.#temporary(order, dtype);
    this.#join(one, other, order, operand);
    return { operand, labels: order };
  }

  #temporary(labels: readonly string[], dtype: Operand["dtype"]): Operand {
    const array = this.#xp.empty(this.#shape(labels), { dtype });
    this.#own.push(array);
    return array.operand();
  }

  #shape(labels: readonly string[]): readonly number[] {
    return labels.map((label) => this.#extents.get(label) as number);
  }

  /** The sum over those axes of a term that the result does not have. */
  #sum(term: Term, output: readonly string[], into: Operand): void {
    const summed = term.labels.filter((label) => !output.includes(label));
    const operand = { ...term.operand, layout: pickedLayout(term, [...output, ...summed]) };
    if (summed.length > 0) sumProducts(this.#xp, [operand], lastAxes(output, summed), into);
    else runExpressions(this.#xp.queue, [cast(input(0, operand.dtype), into.dtype)], [operand], [], [into]);
  }

  /** The sum of products over axes of two terms. */
  #join(first: Term, second: Term, output: readonly string[], into: Operand): void {
    const one = this.#withoutOwn(first, second, output);
    const other = this.#withoutOwn(second, first, output);
    const both = one.labels.filter((label) => other.labels.includes(label));
    const summed = both.filter((label) => !output.includes(label));
    const batch = output.filter((label) => both.includes(label));
    const rows = output.filter((label) => !batch.includes(label) && one.labels.includes(label));
    const columns = output.filter((label) => !batch.includes(label) && other.labels.includes(label));
    if (summed.length > 0 && (rows.length > 0 || columns.length > 0)) {
      this.#multiply(one, other, { batch, rows, columns, summed, output }, into);
      return;
    }
    const order = [...output, ...summed];
    const operands = [one, other].map((term) => ({ ...term.operand, layout: this.#broadcast(term, order) })) as [
      Operand,
      Operand,
    ];
    if (summed.length > 0) {
      sumProducts(this.#xp, operands, lastAxes(output, summed), into);
      return;
    }
    const type = promote(one.operand.dtype, other.operand.dtype);
    const value = operation(
      "multiply",
      operands.map(({ dtype }, i) => cast(input(i, dtype), type)),
      [],
    );
    runExpressions(this.#xp.queue, [cast(value, into.dtype)], operands, [], [into]);
  }

  /** Summed up over axes that nothing else has. */
  #withoutOwn(term: Term, other: Term, output: readonly string[]): Term {
    const kept = term.labels.filter((label) => other.labels.includes(label) || output.includes(label));
    if (kept.length === term.labels.length) return term;
    const operand = this.#temporary(kept, partialType(term.operand.dtype));
    this.#sum(term, kept, operand);
    return { operand, labels: kept };
  }

  #broadcast(term: Term, order: readonly string[]): Layout {
    const { strides, offset } = term.operand.layout;
    return {
      shape: this.#shape(order),
      strides: order.map((label) =>
        term.labels.includes(label) ? (strides[term.labels.indexOf(label)] as number) : 0,
      ),
      offset,
    };
  }

  #multiply(one: Term, other: Term, names: Names, into: Operand): void {
    const { batch, rows, columns, output } = names;
    // In the order in which one of both arrays has them contiguous.
    const inOrderOf = (term: Term): readonly string[] => term.labels.filter((label) => names.summed.includes(label));
    const isKept = (summed: readonly string[]): boolean =>
      mergedLayout(one, batch, [rows, summed]) !== undefined &&
      mergedLayout(other, batch, [summed, columns]) !== undefined;
    const summed = [inOrderOf(one), inOrderOf(other)].find((order) => isKept(order)) ?? inOrderOf(one);
    const a = this.#merged(one, batch, [rows, summed]);
    const b = this.#merged(other, batch, [summed, columns]);
    const target: Term = { operand: into, labels: output };
    const layout = mergedLayout(target, batch, [rows, columns]);
    if (layout !== undefined) {
      multiplyMatrices(this.#xp, { a, b, c: { ...into, layout } });
      return;
    }
    const order = [...batch, ...rows, ...columns];
    const operand = this.#temporary(order, into.dtype);
    const c = { ...operand, layout: mergedLayout({ operand, labels: order }, batch, [rows, columns]) as Layout };
    multiplyMatrices(this.#xp, { a, b, c });
    using from = this.#view({ ...operand, layout: pickedLayout({ operand, labels: order }, output) });
    using to = this.#view(into);
    assign(to, from);
  }

  #merged(term: Term, batch: readonly string[], groups: readonly (readonly string[])[]): Operand {
    const layout = mergedLayout(term, batch, groups);
    if (layout !== undefined) return { ...term.operand, layout };
    const labels = [...batch, ...groups.flat()];
    const operand = this.#temporary(labels, term.operand.dtype);
    using from = this.#view({ ...term.operand, layout: pickedLayout(term, labels) });
    using to = this.#view(operand);
    assign(to, from);
    return { ...operand, layout: mergedLayout({ operand, labels }, batch, groups) as Layout };
  }

  #view({ storage, dtype, layout }: Operand): AnyArray {
    return this.#xp.wrap(storage, typeNamed(dtype), layout);
  }
}

/** The axes of a product of matrices. */
interface Names {
  readonly batch: readonly string[];
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  readonly summed: readonly string[];
  readonly output: readonly string[];
}

function lastAxes(output: readonly string[], summed: readonly string[]): readonly number[] {
  return summed.map((_, i) => output.length + i);
}

/** The layout with some axes only, in this order. */
function pickedLayout({ operand, labels }: Term, order: readonly string[]): Layout {
  const { shape, strides, offset } = operand.layout;
  const axes = order.map((label) => labels.indexOf(label));
  return {
    shape: axes.map((axis) => shape[axis] as number),
    strides: axes.map((axis) => strides[axis] as number),
    offset,
  };
}

/** The layout with axes of a batch, and then one axis for each group; undefined where one of those is not evenly spaced. */
function mergedLayout(
  term: Term,
  batch: readonly string[],
  groups: readonly (readonly string[])[],
): Layout | undefined {
  const own = batch.filter((label) => term.labels.includes(label));
  const first = pickedLayout(term, own);
  const shape = [...first.shape];
  const strides = [...first.strides];
  for (const group of groups) {
    const axis = mergedAxis(pickedLayout(term, group));
    if (axis === undefined) return undefined;
    shape.push(axis.extent);
    strides.push(axis.stride);
  }
  return { shape, strides, offset: first.offset };
}

function mergedAxis({ shape, strides }: Layout): { readonly extent: number; readonly stride: number } | undefined {
  let extent = 1;
  let stride = 0;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    if (shape[axis] === 1) continue;
    if (extent === 1) stride = strides[axis] as number;
    else if (strides[axis] !== extent * stride) return undefined;
    extent *= shape[axis] as number;
  }
  return { extent, stride };
}
