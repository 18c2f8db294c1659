/** The numbers of examples/spmv. */
import { arrays, type DeviceArray } from "@cl/array";
import { CommandQueue, Context } from "@cl/core";
import { expect, test } from "vitest";

import { conjugateGradients } from "../../examples/spmv/conjugate-gradients.js";
import { type Csr, csr, laplacian } from "../../examples/spmv/csr.js";
import { SparseMatrix } from "../../examples/spmv/sparse-matrix.js";

const xp = arrays(new CommandQueue(Context.create()));

/** Reference product in double precision. */
function plainProduct({ starts, columns, values }: Csr, x: ArrayLike<number>): number[] {
  return Array.from({ length: starts.length - 1 }, (_, row) => {
    let sum = 0;
    for (let k = starts[row] as number; k < (starts[row + 1] as number); k++) {
      sum += (values[k] as number) * (x[columns[k] as number] as number);
    }
    return sum;
  });
}

const norm = (list: readonly number[]): number => Math.hypot(...list);

test("csr() stores rows without zeros", () => {
  expect(
    csr([
      [[0, 1]],
      [],
      [
        [1, 2],
        [2, 3],
      ],
    ]),
  ).toEqual({
    starts: Int32Array.of(0, 1, 1, 3),
    columns: Int32Array.of(0, 1, 2),
    values: Float32Array.of(1, 2, 3),
  });
  const { starts, values } = laplacian(10);
  expect(starts.at(-1)).toBe(5 * 100 - 4 * 10);
  // Inner rows sum to 0; rows at the edge lack one neighbor, those in the corners two.
  expect(values.reduce((sum, value) => sum + value)).toBe(4 * 10);
});

test.each(["item", "group"] as const)("multiply() with one row per %s equals the reference product", async (rowPer) => {
  // Rows of 0 to 199 elements: fewer and more than a group has work-items.
  const random = (i: number): number => Math.sin(i * 12.9898) * 0.5 + 0.5;
  const matrix = csr(
    Array.from({ length: 200 }, (_, row) =>
      Array.from({ length: (row * 7) % 200 }, (_, k) => [Math.floor(random(row * 200 + k) * 200), random(k)] as const),
    ),
  );
  const x = Float32Array.from({ length: 200 }, (_, i) => random(i + 0.5));
  const product = await (await SparseMatrix.create(xp, matrix)).multiply(xp.array(x), rowPer).data();
  for (const [row, expected] of plainProduct(matrix, x).entries()) {
    expect(Math.abs((product[row] as number) - expected), `row ${row}`).toBeLessThan(1e-4);
  }
});

test.each(["item", "group"] as const)(
  "conjugateGradients() converges with one row per %s",
  { tags: "full" },
  async (rowPer) => {
    const n = 48;
    const matrix = laplacian(n);
    const a = await SparseMatrix.create(xp, matrix);
    const known = xp.random(3).uniform([n * n], { low: -1, dtype: "float32" });
    const b = a.multiply(known, rowPer);
    const { x, steps, residual } = await conjugateGradients((p) => a.multiply(p, rowPer), b, { tolerance: 1e-6 });
    expect(steps).toBeLessThan(4 * n);
    expect(residual).toBeLessThanOrEqual(1e-6);
    // The true residual, not that of the recursion.
    const [solution, rightSide] = await Promise.all([x.data(), b.data()]);
    const product = plainProduct(matrix, solution);
    expect(norm(product.map((value, i) => value - (rightSide[i] as number))) / norm([...rightSide])).toBeLessThan(1e-5);
    expect(await x.sub(known).absolute().max().item()).toBeLessThan(1e-3);
  },
);

test("conjugateGradients() keeps an exact solution in further steps", { tags: "full" }, async () => {
  const a = await SparseMatrix.create(xp, laplacian(1));
  const { x, residual } = await conjugateGradients((p) => a.multiply(p), xp.array(Float32Array.of(8)), {
    tolerance: 0,
  });
  expect([await x.data(), residual]).toEqual([Float32Array.of(2), 0]);
});

test("conjugateGradients() stops for b = 0 and after maxSteps", { tags: "ci" }, async () => {
  const a = await SparseMatrix.create(xp, laplacian(16));
  const multiply = (p: DeviceArray<"float32">): DeviceArray<"float32"> => a.multiply(p);
  expect(await conjugateGradients(multiply, xp.zeros([256], { dtype: "float32" }))).toMatchObject({
    steps: 0,
    residual: 0,
  });
  const few = await conjugateGradients(multiply, xp.arange(256, { dtype: "float32" }), { maxSteps: 7 });
  expect(few.steps).toBe(7);
  expect(few.residual).toBeGreaterThan(1e-5);
});
