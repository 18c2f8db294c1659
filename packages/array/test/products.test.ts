/** Products over axes (einsum, tensordot and others) compared with NumPy. */
import { beforeEach, describe, expect, test } from "vitest";
import type { AnyArray, DeviceArray, DTypeName } from "@cl/array";

import { hasDoubles, xp } from "./support/device.js";
import { counted, countedText, Draw, type EvalCase, evalDifferences } from "./support/numpy-eval.js";
import { needsNumPy } from "./support/numpy.js";

beforeEach(needsNumPy);

type Shape = readonly number[];

/** Two or more arrays, and the product of them in our API and in NumPy. */
function of(
  shapes: readonly Shape[],
  ours: (...arrays: DeviceArray[]) => AnyArray,
  theirs: (...arrays: string[]) => string,
  ...types: readonly DTypeName[]
): EvalCase {
  const typeOf = (i: number): DTypeName => types[i] ?? types[0] ?? "float32";
  return {
    ours: () => ours(...shapes.map((shape, i) => counted(shape, typeOf(i)))),
    theirs: theirs(...shapes.map((shape, i) => countedText(shape, typeOf(i)))),
  };
}

const einsum = (subscripts: string, shapes: readonly Shape[], ...types: readonly DTypeName[]): EvalCase =>
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
    expect(
      await evalDifferences([
        einsum("ij->ji", [[3, 4]]),
        einsum("ij->", [[3, 4]]),
        einsum("ij->j", [[3, 4]]),
        einsum("ii", [[5, 5]]),
        einsum("ii->i", [[5, 5]]),
        einsum("iij->ij", [[3, 3, 4]]),
        einsum("iji->j", [[3, 4, 3]], "int32"),
        einsum("ba", [[3, 4]]),
        einsum("...j->...", [[2, 3, 4]]),
        einsum("i...->...i", [[2, 3, 4]]),
        einsum("...", [[2, 3]]),
        einsum(" i j -> j i ", [[2, 3]]),
        einsum("", [[]]),
        einsum("iij", [[0, 0, 2]]),
      ]),
    ).toEqual([]);
  });

  test("matches NumPy for two arrays: matrix products for every order of axes", async () => {
    const orders = ["ij,jk->ik", "ij,jk->ki", "ji,jk->ik", "ij,kj->ik", "ij,kj->ki", "ji,kj->ki", "ij,jk"];
    expect(
      await evalDifferences([
        ...orders.map((order) =>
          einsum(order, [
            [order.startsWith("ji") ? 5 : 4, order.startsWith("ji") ? 4 : 5],
            order.includes(",k") ? [6, 5] : [5, 6],
          ]),
        ),
        einsum("bij,bjk->bik", [
          [3, 4, 5],
          [3, 5, 6],
        ]),
        einsum("bij,bjk->ikb", [
          [3, 4, 5],
          [3, 5, 6],
        ]),
        einsum(
          "ibj,jkb->bki",
          [
            [4, 3, 5],
            [5, 6, 3],
          ],
          "int16",
        ),
        einsum("...ij,...jk", [
          [2, 1, 3, 4],
          [3, 4, 2],
        ]),
        einsum("...ij,jk->i...k", [
          [2, 3, 4],
          [4, 2],
        ]),
        einsum("abcd,cdef->abef", [
          [2, 3, 4, 2],
          [4, 2, 3, 2],
        ]),
        einsum("abcd,dcfe->afbe", [
          [2, 3, 4, 2],
          [2, 4, 3, 2],
        ]),
        einsum("acbd,dcfe->afbe", [
          [2, 4, 3, 2],
          [2, 4, 3, 2],
        ]),
        einsum("i,j->ij", [[3], [4]]),
        einsum("i,j", [[3], [4]]),
        einsum("i,i->i", [[5], [5]]),
        einsum("i,i", [[5], [5]], "complex64"),
        einsum("ij,ij->i", [
          [3, 4],
          [3, 4],
        ]),
        einsum("ij,j->i", [[30, 200], [200]], "int32"),
        einsum("ij,ik->k", [
          [3, 4],
          [3, 5],
        ]),
        einsum("ij,k->i", [[3, 4], [5]]),
        einsum("ij,jk->ik", [
          [3, 1],
          [4, 5],
        ]),
        einsum("ii,ij->j", [
          [3, 3],
          [3, 2],
        ]),
        einsum("ij,jk->ik", [
          [3, 0],
          [0, 5],
        ]),
        einsum(",ij->ij", [[], [2, 3]]),
        einsum(
          "ij,jk->ik",
          [
            [3, 4],
            [4, 5],
          ],
          "bool",
        ),
        einsum(
          "ij,jk->ik",
          [
            [3, 4],
            [4, 5],
          ],
          "int8",
          wide,
        ),
      ]),
    ).toEqual([]);
  });

  test("matches NumPy for several arrays", async () => {
    expect(
      await evalDifferences([
        einsum(
          "ij,jk,kl->il",
          [
            [2, 3],
            [3, 4],
            [4, 2],
          ],
          wide,
        ),
        einsum(
          "ij,jk,kl,lm->im",
          [
            [2, 3],
            [3, 2],
            [2, 4],
            [4, 2],
          ],
          "int64",
        ),
        einsum("i,ij,j->", [[3], [3, 4], [4]], "int64"),
        einsum("i,i,i->i", [[3], [3], [3]], "int64"),
        einsum(
          "bi,bj,bk->ijk",
          [
            [4, 2],
            [4, 3],
            [4, 2],
          ],
          "int64",
        ),
        einsum(
          "ij,jk,ki->",
          [
            [2, 3],
            [3, 4],
            [4, 2],
          ],
          "int8",
          "int64",
          "uint8",
        ),
        einsum(
          "ab,bc,ac->ac",
          [
            [2, 3],
            [3, 4],
            [2, 4],
          ],
          "int32",
        ),
      ]),
    ).toEqual([]);
  });

  test("matches NumPy for random subscripts, for a fixed and a fresh seed", async () => {
    for (const seed of [7, Date.now() % 2 ** 31]) {
      const draw = new Draw(seed);
      const cases = Array.from({ length: 40 }, () => {
        const extents = Object.fromEntries(letters.map((name) => [name, draw.integer(1, 4)]));
        const names = (): string => Array.from({ length: draw.integer(0, 4) }, () => draw.of(letters)).join("");
        const terms = Array.from({ length: draw.integer(1, 3) }, names);
        const all = [...new Set(terms.join(""))].filter(() => draw.integer(0, 1) === 1);
        const shapes = terms.map((term) => term.split("").map((name) => extents[name] as number));
        return einsum(`${terms.join(",")}->${all.sort(() => draw.integer(-1, 1)).join("")}`, shapes, "int64");
      });
      expect(await evalDifferences(cases), `seed ${seed}`).toEqual([]);
    }
  });

  test("writes into `out`, also over an operand", async () => {
    const a = counted([4, 4], "float32");
    const expected = await xp.einsum("ij,kj->ik", [a, a]).data();
    const wide = xp.zeros([4, 8], { dtype: "float32" });
    xp.einsum("ij,kj->ik", [a, a], { out: wide.slice(":", "::2") });
    expect(await wide.slice(":", "::2").data()).toEqual(expected);
    expect(await wide.slice(":", "1::2").any().item()).toBe(false);
    xp.einsum("ij,kj->ik", [a, a], { out: a });
    expect(await a.data()).toEqual(expected);
  });

  test("rejects invalid subscripts and operands", () => {
    const a = counted([2, 3], "float32");
    const wrong =
      (subscripts: string, ...arrays: AnyArray[]): (() => unknown) =>
      () =>
        xp.einsum(subscripts, arrays);
    expect(wrong("ij,jk", a)).toThrow("there must be one term for each of 1 arrays, received 2");
    expect(wrong("ijk", a)).toThrow("must label the axes of array 0 (shape [2,3]), received 3 labels");
    expect(wrong("i", a)).toThrow("received 1 labels");
    expect(wrong("ii", a)).toThrow('axes "i" of array 0 must have equal lengths, received 2 and 3');
    expect(wrong("ij,jk", a, a)).toThrow('axes "j" must have equal lengths, received 3 and 2 (shapes [2,3] and [2,3])');
    expect(wrong("ij->k", a)).toThrow('the result label "k" must be a label of an array');
    expect(wrong("ij->ii", a)).toThrow('the result must not repeat the label "i"');
    expect(wrong("ij->i->j", a)).toThrow('"->" must appear at most once');
    expect(wrong("i$", a)).toThrow('axis labels must be letters, received "$"');
    expect(wrong("...j->j", a)).toThrow('the result must have "..."');
    expect(wrong("...i...", a)).toThrow('must have "..." at most once');
    expect(() => xp.einsum(1 as unknown as string, [a])).toThrow("subscripts");
    expect(() => xp.einsum("", [])).toThrow("operands");
  });
});

describe("products over axes", () => {
  test("tensordot matches NumPy", async () => {
    const tensordot = (a: Shape, b: Shape, axes: number | [number[], number[]]): EvalCase =>
      of(
        [a, b],
        (x, y) => xp.tensordot(x, y, { axes }),
        (x, y) => `np.tensordot(${x}, ${y}, ${JSON.stringify(axes)})`,
      );
    expect(
      await evalDifferences([
        tensordot([2, 3, 4], [3, 4, 5], 2),
        tensordot([2, 3], [3, 4], 1),
        tensordot([2, 3], [4], 0),
        tensordot(
          [2, 3, 4],
          [4, 3, 2],
          [
            [0, 2],
            [2, 0],
          ],
        ),
        tensordot([2, 3, 4], [4, 3, 2], [[-1], [0]]),
        tensordot([3, 4], [3, 4], 2),
        tensordot([2, 3, 4], [3, 5, 4], 2),
      ]),
    ).toEqual([]);
  });

  test("dot, inner, outer, kron, trace and cross match NumPy", async () => {
    const two = (name: "inner" | "outer" | "kron" | "cross", a: Shape, b: Shape, ...types: DTypeName[]): EvalCase =>
      of(
        [a, b],
        (x, y) => xp[name](x, y),
        (x, y) => `np.${name}(${x}, ${y})`,
        ...types,
      );
    const dot = (a: Shape, b: Shape): EvalCase =>
      of(
        [a, b],
        (x, y) => x.dot(y),
        (x, y) => `np.dot(${x}, ${y})`,
      );
    expect(
      await evalDifferences([
        dot([3, 4], [4, 5]),
        dot([3, 4], [4]),
        dot([4], [4, 5]),
        dot([2, 3, 4], [5, 4, 2]),
        dot([4], [4]),
        dot([], [3]),
        dot([3, 4], [5, 4]),
        two("inner", [3, 4], [5, 4]),
        two("inner", [4], [4]),
        two("inner", [2, 3, 4], [4]),
        two("inner", [], [3, 2]),
        two("inner", [2], [3]),
        two("outer", [3], [4], "int8"),
        two("outer", [2, 2], [3], "float32", wide),
        two("outer", [], [3]),
        two("kron", [2, 3], [3, 2], "int32"),
        two("kron", [2], [2, 3]),
        two("kron", [2, 1, 2], [3]),
        two("cross", [4, 3], [4, 3]),
        two("cross", [3], [5, 3], "int32"),
        two("cross", [2, 1, 3], [4, 3]),
        of(
          [[4, 5]],
          (x) => x.trace(),
          (x) => `np.trace(${x})`,
          "int8",
        ),
        of(
          [[4, 5]],
          (x) => xp.trace(x, { offset: 1 }),
          (x) => `np.trace(${x}, 1)`,
        ),
        of(
          [[4, 5, 3]],
          (x) => x.trace({ offset: -1, axis1: 2, axis2: 0 }),
          (x) => `np.trace(${x}, -1, 2, 0)`,
        ),
        of(
          [
            [3, 4],
            [3, 4],
          ],
          (x, y) => xp.cross(x, y, { axis: 0 }),
          (x, y) => `np.cross(${x}, ${y}, axis=0)`,
        ),
      ]),
    ).toEqual([]);
  });

  test("vecdot and multiDot match NumPy", async () => {
    const chain = (...shapes: Shape[]): EvalCase =>
      of(
        shapes,
        (...arrays) => xp.multiDot(arrays),
        (...arrays) => `np.linalg.multi_dot([${arrays.join(", ")}])`,
        "int64",
      );
    expect(
      await evalDifferences([
        of(
          [
            [3, 4],
            [3, 4],
          ],
          (x, y) => xp.vecdot(x, y),
          (x, y) => `(${x} * ${y}).sum(-1, dtype="float32")`,
        ),
        chain([2, 3], [3, 4]),
        chain([10, 3], [3, 20], [20, 2]),
        chain([3], [3, 4], [4, 2], [2]),
        chain([2, 3], [3, 4], [4, 5], [5]),
      ]),
    ).toEqual([]);
    const z = xp.array(
      [
        { re: 1, im: 2 },
        { re: 3, im: -1 },
      ],
      { dtype: "complex64" },
    );
    expect([...(await xp.vecdot(z, z).data())]).toEqual([15, 0]);
  });

  test("matrix products are the same when they are repeated with other values, layouts and types", async () => {
    const square = (seed: number, dtype: DTypeName): DeviceArray =>
      counted([8, 8], dtype).add(xp.array(seed, { dtype })).eval();
    const round = async (seed: number): Promise<readonly (readonly (number | bigint)[])[]> => {
      const arrays: AnyArray[] = [];
      for (const dtype of ["float32", "int16", wide] as const) {
        const [a, b] = [square(seed, dtype), square(2 * seed, dtype)];
        arrays.push(a.matmul(b), a.T.matmul(b), a.matmul(b.T), a.slice("1:").matmul(b.slice(":", ":5")));
        arrays.push(a.reshape([2, 4, 8]).matmul(b), a.matmul(b, { out: xp.zeros([8, 8], { dtype }) }));
      }
      const parts = square(seed, "float32").astype("complex64");
      arrays.push(xp.vecdot(parts, parts), parts.matmul(parts), parts.conj().T.matmul(parts));
      return Promise.all(arrays.map(async (array) => [...((await array.data()) as Iterable<number>)]));
    };
    const first = await round(1);
    const other = await round(3);
    expect(other).not.toEqual(first);
    expect(await round(1)).toEqual(first);
    // Products by the definition, of plans that were used with other values before.
    const [a, b] = [square(3, "float32"), square(6, "float32")];
    const sums = a
      .reshape([8, 8, 1])
      .mul(b.reshape([1, 8, 8]))
      .sum({ axis: 1 });
    expect(other[0]).toEqual([...(await sums.data())]);
  });

  test("rejects operands that do not fit, with both shapes", () => {
    const [a, b] = [counted([2, 3], "float32"), counted([2, 4], "float32")];
    expect(() => a.matmul(b)).toThrow("(shapes [2,3] and [2,4])");
    expect(() => xp.tensordot(a, b)).toThrow("axis 1 of [2,3] and axis 1 of [2,4]");
    expect(() => xp.inner(a, b)).toThrow("[2,3]");
    expect(() => xp.cross(a, b)).toThrow("received shapes [2,3] and [2,4]");
    expect(() => xp.vecdot(a, b)).toThrow("[2,3] and [2,4]");
    expect(() => xp.multiDot([a, b])).toThrow("operands[1] must have as many rows as operands[0] has columns");
    expect(() => xp.multiDot([a])).toThrow("a list of at least two arrays");
    expect(() => xp.tensordot(a, b, { axes: [[0], [0, 1]] })).toThrow(
      "options.axes must have equally many axes of both arrays, received 1 and 2",
    );
    expect(() => a.dot(b)).toThrow("[2,3]");
    expect(() => xp.full([], 1).matmul(a as never)).toThrow("without axes");
    expect(() => a.matmul(a.T, { out: xp.zeros([2, 3], { dtype: "float32" }) })).toThrow(
      "options.out must have the shape [2,2] of matmul, received [2,3]",
    );
  });
});
