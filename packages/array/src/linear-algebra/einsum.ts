/** Einstein summation: `"ij,jk->ik"`. */
import { checkOptions, typeError, wrongValue } from "@cl/base";
import { checkArray } from "../storage/check-array.js";
import type { Operand } from "../storage/operand.js";
import { type DTypeName, typeNamed } from "../types/dtype-name.js";
import { promote } from "../types/promote.js";
import { contract, extentsOf, type Term } from "./contraction.js";
import { stored } from "./matmul.js";
import type { AnyArray, ArrayRef, ArraySource } from "../storage/array-ref.js";
import type { OutOptions } from "../storage/operand-like.js";

/** The sum of products that a text says. */
export function einsum<R extends DTypeName>(
  home: Pick<ArraySource, "queue">,
  subscripts: string,
  arrays: readonly AnyArray[],
  options: OutOptions | undefined,
): ArrayRef<R> {
  const { out } = checkOptions(options, ["out"]);
  if (typeof subscripts !== "string") throw typeError("subscripts", 'a string such as "ij,jk->ik"', subscripts);
  if (!Array.isArray(arrays) || arrays.length === 0) throw typeError("operands", "a list of arrays", arrays);
  const checked = (arrays as readonly AnyArray[]).map((array, i) => checkArray(array, home, `operands[${i}]`));
  const operands = checked.map((array) => array.operand());
  const { xp } = checked[0] as AnyArray;
  const { terms, output } = parse(subscripts, operands);
  return contracted(xp, terms, output, out, "einsum");
}

/** The result of a contraction, in new memory or in `out`. */
export function contracted<R extends DTypeName>(
  xp: ArraySource,
  terms: readonly Term[],
  output: readonly string[],
  out: AnyArray | undefined,
  what: string,
): ArrayRef<R> {
  const operands = terms.map(({ operand }) => operand);
  const dtype = operands.map((operand) => operand.dtype).reduce((one, other) => promote(one, other));
  const extents = extentsOf(terms);
  const shape = output.map((label) => extents.get(label) as number);
  return stored(xp, shape, dtype, out, what, operands, (into) => {
    // Several together have one type; two may be of two, which their kernels convert.
    const converted = terms.length < 3 ? [] : terms.filter(({ operand }) => operand.dtype !== dtype);
    const own = new Map(
      converted.map((term) => {
        using from = xp.wrap(term.operand.storage, typeNamed(term.operand.dtype), term.operand.layout);
        return [term, from.astype(dtype)] as const;
      }),
    );
    try {
      const ready = terms.map((term) => ({ ...term, operand: own.get(term)?.operand() ?? term.operand }));
      contract(xp, ready, output, into.operand());
    } finally {
      for (const array of own.values()) array.release();
    }
  });
}

/** Names of axes that are not named in the text: those that an ellipsis stands for, counted from the last. */
const unnamed = (fromLast: number): string => `...${fromLast}`;

/** The terms of a text, in which each name is there once, and the names of the result's axes. */
function parse(
  subscripts: string,
  operands: readonly Operand[],
): { readonly terms: readonly Term[]; readonly output: readonly string[] } {
  const text = subscripts.replaceAll(" ", "");
  const [inputs, result, ...more] = text.split("->") as [string, string | undefined, ...string[]];
  const fault = (why: string): Error => wrongValue(`subscripts "${subscripts}": ${why}`);
  if (more.length > 0) throw fault('"->" must appear at most once');
  const parts = inputs.split(",");
  if (parts.length !== operands.length) {
    throw fault(`there must be one term for each of ${operands.length} arrays, received ${parts.length}`);
  }
  const named = parts.map((part, i) => {
    const { shape } = (operands[i] as Operand).layout;
    const { before, after } = namesOf(part, fault);
    const rest = shape.length - before.length - (after?.length ?? 0);
    if (rest < 0 || (after === undefined && rest > 0)) {
      throw fault(
        `"${part}" must label the axes of array ${i} (shape [${shape.join()}]), received ${before.length + (after?.length ?? 0)} labels`,
      );
    }
    return [...before, ...Array.from({ length: rest }, (_, k) => unnamed(rest - 1 - k)), ...(after ?? [])];
  });
  const terms = named.map((labels, i) => diagonal(labels, operands[i] as Operand, i, fault));
  checkExtents(terms, fault);
  const all = named.flat();
  const broadcast = [...new Set(all.filter((label) => label.startsWith(".")))].sort(
    (a, b) => Number(b.slice(3)) - Number(a.slice(3)),
  );
  if (result === undefined) {
    const once = all.filter((label) => !label.startsWith(".") && all.indexOf(label) === all.lastIndexOf(label));
    return { terms, output: [...broadcast, ...once.sort()] };
  }
  const { before, after } = namesOf(result, fault);
  if (after === undefined && broadcast.length > 0) {
    throw fault('the result must have "...", since an array has it');
  }
  const output = [...before, ...(after === undefined ? [] : broadcast), ...(after ?? [])];
  for (const [k, label] of output.entries()) {
    if (!all.includes(label)) throw fault(`the result label "${label}" must be a label of an array`);
    if (output.indexOf(label) !== k) throw fault(`the result must not repeat the label "${label}"`);
  }
  return { terms, output };
}

/** Names before an ellipsis, and after it if there is one. */
function namesOf(
  part: string,
  fault: (why: string) => Error,
): { readonly before: readonly string[]; readonly after: readonly string[] | undefined } {
  const [before, after, ...more] = part.split("...") as [string, string | undefined, ...string[]];
  if (more.length > 0) throw fault(`"${part}" must have "..." at most once`);
  for (const name of before + (after ?? "")) {
    if (!/^[a-z]$/iu.test(name)) throw fault(`axis labels must be letters, received "${name}"`);
  }
  return { before: before.split(""), after: after?.split("") };
}

/** Axes with the same name are one: the diagonal. */
function diagonal(labels: readonly string[], operand: Operand, index: number, fault: (why: string) => Error): Term {
  const names = [...new Set(labels)];
  const { shape, strides, offset } = operand.layout;
  const axes = names.map((name) => {
    let [extent, stride] = [1, 0];
    for (const [axis, label] of labels.entries()) {
      const own = shape[axis] as number;
      if (label !== name || own === 1) continue;
      if (extent !== 1 && extent !== own) {
        throw fault(
          `axes "${name}" of array ${index} must have equal lengths, received ${extent} and ${own} (shape [${shape.join()}])`,
        );
      }
      extent = own;
      stride += strides[axis] as number;
    }
    return { extent, stride };
  });
  const layout = { shape: axes.map(({ extent }) => extent), strides: axes.map(({ stride }) => stride), offset };
  return { labels: names, operand: { ...operand, layout } };
}

function checkExtents(terms: readonly Term[], fault: (why: string) => Error): void {
  const extents = extentsOf(terms);
  for (const { labels, operand } of terms) {
    for (const [axis, label] of labels.entries()) {
      const own = operand.layout.shape[axis] as number;
      const other = extents.get(label) as number;
      if (own === 1 || own === other) continue;
      const shapes = terms.map((term) => `[${term.operand.layout.shape.join()}]`).join(" and ");
      const name = label.startsWith(".") ? "of ..." : `"${label}"`;
      throw fault(`axes ${name} must have equal lengths, received ${other} and ${own} (shapes ${shapes})`);
    }
  }
}
