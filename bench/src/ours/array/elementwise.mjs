// Element-wise operations.
import { arrays, fuse } from "@cl/array";

import { sized, timed } from "./rig.mjs";

/** 2a + 3b - c, for fuse(). */
export const formula = (a, b, c) => a.mul(2).add(b.mul(3)).sub(c);

/** Returns the fused formula. */
export function fusedFormula() {
  return fuse(formula);
}

/** Returns the next generation of Conway's Game of Life, without the cells at the border. */
function nextGeneration(board) {
  const [above, middle, below] = [":-2", "1:-1", "2:"].map((rows) => board.slice(rows));
  const columns = (row) => [":-2", "1:-1", "2:"].map((range) => row.slice(":", range));
  const [alive, ...others] = [
    columns(middle)[1],
    ...columns(above),
    columns(middle)[0],
    columns(middle)[2],
    ...columns(below),
  ];
  const neighbors = others.reduce((sum, one) => sum.add(one));
  return neighbors.equal(3).logicalOr(alive.equal(1).logicalAnd(neighbors.equal(2)));
}

/**
 * Evaluates the formula with separate operators. Releases each intermediate array after use.
 * @param {import("@cl/array").DeviceArray} a
 * @param {import("@cl/array").DeviceArray} b
 * @param {import("@cl/array").DeviceArray} c
 */
export function byOperators(a, b, c) {
  const twice = a.mul(2);
  const thrice = b.mul(3);
  const sum = twice.add(thrice);
  twice.release();
  thrice.release();
  const result = sum.sub(c);
  sum.release();
  return result;
}

/** @param {import("./rig.mjs").Rig} rig */
export function elementwiseJobs(rig) {
  const { xp } = rig;
  /** @type {import("@cl/array").DeviceArray<"uint8"> | undefined} */
  let board;
  return {
    ...sized(rig, "add", (size) => {
      const { a, b, out } = rig.operands(size);
      return () => a.add(b, { out });
    }),

    ...sized(rig, "plain", (size) => {
      const { a, b, c } = rig.operands(size);
      return () => formula(a, b, c).eval().release();
    }),

    ...sized(rig, "eager", (size) => {
      const { queue, allocator } = xp;
      const eager = arrays(queue, { allocator, eager: true });
      const [a, b, c] = [1, 2, 3].map((value) => eager.full([size], value, { dtype: "float32" }));
      return () => byOperators(a, b, c).release();
    }),

    life(count) {
      board ??= xp
        .fromHost(Uint8Array.from({ length: 1024 * 1024 }, (_, k) => ((k * 7919) >> 7) & 1))
        .reshape([1024, 1024]);
      return timed(rig, count, () => xp.scope(() => nextGeneration(board).eval()).release());
    },

    ...sized(rig, "fused", (size) => {
      const { a, b, c, out } = rig.operands(size);
      const fused = fusedFormula();
      return () => fused(a, b, c, { out });
    }),

    ...sized(rig, "where", (size) => {
      const { a, b, c } = rig.operands(size);
      const condition = c.greater(0.5).eval();
      return () => xp.where(condition, a, b).eval().release();
    }),
  };
}
