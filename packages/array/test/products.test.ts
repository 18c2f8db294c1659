/** Products over axes (einsum, tensordot and others) compared with NumPy. */
import { beforeEach, describe, expect, test } from "vitest";
import type { AnyArray, DeviceArray, DTypeName } from "@cl/array";

import { sample } from "@cl/testing/level";
import { hasDoubles, xp } from "./support/device.js";
import { outOfRange, wrongType, wrongValue } from "@cl/testing/error-like";
import { counted, countedText, Draw, type EvalCase, evalDifferences, needsNumPy } from "./support/numpy-eval.js";

beforeEach(needsNumPy);

type Shape = readonly number[];

/** Shapes from a text, in which each digit is an extent: "23 345" is [2, 3] and [3, 4, 5], and "." has no axes. */
const shapesOf = (text: string): readonly Shape[] =>
  text.split(" ").map((shape) => (shape === "." ? [] : shape.split("").map(Number)));

/** Two or more arrays, and the product of them in our API and in NumPy. */
function of(
  shapes: string,
  ours: (...arrays: DeviceArray[]) => AnyArray,
  theirs: (...arrays: string[]) => string,
  ...types: readonly DTypeName[]
): EvalCase {
  const typeOf = (i: number): DTypeName => types[i] ?? types[0] ?? "float32";
  return {
    ours: () => ours(...shapesOf(shapes).map((shape, i) => counted(shape, typeOf(i)))),
    theirs: theirs(...shapesOf(shapes).map((shape, i) => countedText(shape, typeOf(i)))),
  };
}

const einsum = (subscripts: string, shapes: string, ...types: readonly DTypeName[]): EvalCase =>
  of(
    shapes,
    (...arrays) => xp.einsum(subscripts, arrays),
    (...arrays) => `np.einsum("${subscripts}", ${arrays.join(", ")})`,
    ...types,
  );

const wide: DTypeName = hasDoubles ? "float64" : "int64";
const letters = ["a", "b", "c", "d", "e"] as const;

describe("einsum", () => {
  test("matches NumPy for one array: diagonals, sums, transposed axes", async () => {
    const cases = [
      einsum("ij->ji", "34"),
      einsum("iij->ij", "334"),
      einsum("...j->...", "234"),
      einsum("ij->", "34"),
      einsum("ij->j", "34"),
      einsum("ii", "55"),
      einsum("ii->i", "55"),
      einsum("iji->j", "343", "int32"),
      einsum("ba", "34"),
      einsum("i...->...i", "234"),
      einsum("...", "23"),
      einsum(" i j -> j i ", "23"),
      einsum("", "."),
      einsum("iij", "002"),
    ];
    expect(await evalDifferences(sample(cases, 2))).toEqual([]);
  });

  const pairs = [
    einsum("ij,jk->ik", "45 56"),
    einsum("ij,jk->ki", "45 56"),
    einsum("ji,jk->ik", "54 56"),
    einsum("ij,kj->ik", "45 65"),
    einsum("ij,kj->ki", "45 65"),
    einsum("ji,kj->ki", "54 65"),
    einsum("ij,jk", "45 56"),
    einsum("bij,bjk->bik", "345 356"),
    einsum("bij,bjk->ikb", "345 356"),
    einsum("ibj,jkb->bki", "435 563", "int16"),
    einsum("...ij,...jk", "2134 342"),
    einsum("...ij,jk->i...k", "234 42"),
    einsum("abcd,cdef->abef", "2342 4232"),
    einsum("abcd,dcfe->afbe", "2342 2432"),
    einsum("acbd,dcfe->afbe", "2432 2432"),
    einsum("i,j->ij", "3 4"),
    einsum("i,j", "3 4"),
    einsum("i,i->i", "5 5"),
    einsum("i,i", "5 5", "complex64"),
    einsum("ij,ij->i", "34 34"),
    einsum("ij,j->i", "99 9", "int32"),
    einsum("ij,ik->k", "34 35"),
    einsum("ij,k->i", "34 5"),
    einsum("ij,jk->ik", "31 45"),
    einsum("ii,ij->j", "33 32"),
    einsum("ij,jk->ik", "30 05"),
    einsum(",ij->ij", ". 23"),
    einsum("ij,jk->ik", "34 45", "bool"),
    einsum("ij,jk->ik", "34 45", "int8", wide),
  ];

  test("matches NumPy for two arrays, also in other orders of axes", async () => {
    expect(await evalDifferences(sample(pairs, 2))).toEqual([]);
  });

  test("matches NumPy for all kinds of pairs of arrays", { tags: "ci" }, async () => {
    expect(await evalDifferences(pairs)).toEqual([]);
  });

  test("matches NumPy for several arrays", { tags: "full" }, async () => {
    expect(
      await evalDifferences([
        einsum("ij,jk,kl->il", "23 34 42", wide),
        einsum("ij,jk,kl,lm->im", "23 32 24 42", "int64"),
        einsum("i,ij,j->", "3 34 4", "int64"),
        einsum("i,i,i->i", "3 3 3", "int64"),
        einsum("bi,bj,bk->ijk", "42 43 42", "int64"),
        einsum("ij,jk,ki->", "23 34 42", "int8", "int64", "uint8"),
        einsum("ab,bc,ac->ac", "23 34 24", "int32"),
      ]),
    ).toEqual([]);
  });

  test("matches NumPy for random subscripts", { tags: "full" }, async () => {
    const draw = new Draw(7);
    const cases = Array.from({ length: 60 }, () => {
      const extents = Object.fromEntries(letters.map((name) => [name, draw.integer(1, 4)]));
      const names = (): string => Array.from({ length: draw.integer(0, 4) }, () => draw.of(letters)).join("");
      const terms = Array.from({ length: draw.integer(1, 3) }, names);
      const all = [...new Set(terms.join(""))].filter(() => draw.integer(0, 1) === 1);
      const shapes = terms.map((term) => (term === "" ? "." : term.replaceAll(/./g, (name) => String(extents[name]))));
      return einsum(`${terms.join(",")}->${all.sort(() => draw.integer(-1, 1)).join("")}`, shapes.join(" "), "int64");
    });
    expect(await evalDifferences(cases)).toEqual([]);
  });

  test("writes into `out`, also over an operand", { tags: "ci" }, async () => {
    const a = counted([4, 4], "float32");
    const expected = await xp.einsum("ij,kj->ik", [a, a]).data();
    const wide = xp.zeros([4, 8], { dtype: "float32" });
    xp.einsum("ij,kj->ik", [a, a], { out: wide.slice(":", "::2") });
    expect(await wide.slice(":", "::2").data()).toEqual(expected);
    expect(await wide.slice(":", "1::2").any().item()).toBe(false);
    xp.einsum("ij,kj->ik", [a, a], { out: a });
    expect(await a.data()).toEqual(expected);
  });

  test.each<[subscripts: string, arrays: number]>([
    ["ij,jk", 1],
    ["ijk", 1],
    ["i", 1],
    ["ii", 1],
    ["ij,jk", 2],
    ["ij->k", 1],
    ["ij->ii", 1],
    ["ij->i->j", 1],
    ["i$", 1],
    ["...j->j", 1],
    ["...i...", 1],
  ])("rejects the subscripts %s of %i arrays", (subscripts, count) => {
    const a = counted([2, 3], "float32");
    const call = (): unknown => xp.einsum(subscripts, [a, a].slice(0, count));
    expect(call).toThrow(wrongValue("subscripts"));
  });

  test("rejects subscripts and operands of other types", () => {
    expect(() => xp.einsum(1 as unknown as string, [xp.ones([1])])).toThrow(wrongType("subscripts"));
    expect(() => xp.einsum("", [])).toThrow(wrongType("operands"));
  });
});

describe("products over axes", () => {
  const two = (name: "inner" | "outer" | "kron" | "cross", shapes: string, ...types: DTypeName[]): EvalCase =>
    of(
      shapes,
      (x, y) => xp[name](x, y),
      (x, y) => `np.${name}(${x}, ${y})`,
      ...types,
    );
  const dot = (shapes: string): EvalCase =>
    of(
      shapes,
      (x, y) => x.dot(y),
      (x, y) => `np.dot(${x}, ${y})`,
    );
  const tensordot = (shapes: string, axes: number | [number[], number[]]): EvalCase =>
    of(
      shapes,
      (x, y) => xp.tensordot(x, y, { axes }),
      (x, y) => `np.tensordot(${x}, ${y}, ${JSON.stringify(axes)})`,
    );
  const chain = (shapes: string): EvalCase =>
    of(
      shapes,
      (...arrays) => xp.multiDot(arrays),
      (...arrays) => `np.linalg.multi_dot([${arrays.join(", ")}])`,
      "int64",
    );
  const trace = (shape: string, options: { offset?: number; axis1?: number; axis2?: number }): EvalCase => {
    const { offset = 0, axis1 = 0, axis2 = 1 } = options;
    return of(
      shape,
      (x) => xp.trace(x, options),
      (x) => `np.trace(${x}, ${offset}, ${axis1}, ${axis2})`,
      "int8",
    );
  };
  const first = [
    tensordot("23 34", 1),
    dot("34 45"),
    two("inner", "34 54"),
    two("outer", "3 4", "int8"),
    two("kron", "23 32", "int32"),
    two("cross", "43 43"),
    trace("45", {}),
    chain("23 34"),
  ];
  const others = [
    tensordot("234 345", 2),
    tensordot("23 4", 0),
    tensordot("234 432", [[0, 2], [2, 0]]), // prettier-ignore
    tensordot("234 432", [[-1], [0]]),
    tensordot("34 34", 2),
    tensordot("234 354", 2),
    ...["34 4", "4 45", "234 542", "4 4", ". 3", "34 54"].map(dot),
    ...["4 4", "234 4", ". 32", "2 3"].map((shapes) => two("inner", shapes)),
    two("outer", "22 3", "float32", wide),
    two("outer", ". 3"),
    two("kron", "2 23"),
    two("kron", "212 3"),
    two("cross", "3 53", "int32"),
    two("cross", "213 43"),
    of(
      "34 34",
      (x, y) => xp.cross(x, y, { axis: 0 }),
      (x, y) => `np.cross(${x}, ${y}, axis=0)`,
    ),
    trace("45", { offset: 1 }),
    trace("453", { offset: -1, axis1: 2, axis2: 0 }),
    ...["83 39 92", "3 34 42 2", "23 34 45 5"].map(chain),
    of(
      "34 34",
      (x, y) => xp.vecdot(x, y),
      (x, y) => `(${x} * ${y}).sum(-1, dtype="float32")`,
    ),
  ];

  test("products over axes match NumPy", async () => {
    expect(await evalDifferences(sample(first, 5))).toEqual([]);
    const z = xp.array([{ re: 1, im: 2 }, { re: 3, im: -1 }], { dtype: "complex64" }); // prettier-ignore
    expect([...(await xp.vecdot(z, z).data())]).toEqual([15, 0]);
  });

  test("tensordot, dot, inner, outer, kron, cross, trace and multiDot match NumPy", { tags: "ci" }, async () => {
    expect(await evalDifferences([...first, ...others])).toEqual([]);
  });

  const [a, b] = [counted([2, 3], "float32"), counted([2, 4], "float32")];
  test.each<[name: string, call: () => unknown, error: Error]>([
    ["tensordot of other shapes", () => xp.tensordot(a, b), outOfRange()],
    ["tensordot of other counts", () => xp.tensordot(a, b, { axes: [[0], [0, 1]] }), outOfRange("options.axes")],
    ["inner", () => xp.inner(a, b), outOfRange()],
    ["cross", () => xp.cross(a, b), outOfRange()],
    ["vecdot", () => xp.vecdot(a, b), outOfRange()],
    ["multiDot of other shapes", () => xp.multiDot([a, b]), outOfRange("operands[1]")],
    ["multiDot of one array", () => xp.multiDot([a]), wrongType("operands")],
    ["dot", () => a.dot(b), outOfRange()],
  ])("rejects %s that do not fit", (_, call, error) => {
    expect(call).toThrow(error);
  });
});
