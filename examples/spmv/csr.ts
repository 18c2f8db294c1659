/** Sparse matrices by their rows (CSR): only what is not zero is kept. */

/** The elements of all rows, one row behind the other. */
export interface Csr {
  /** Where each row begins in the other two lists, and at last where the last one ends. */
  readonly starts: Int32Array;
  readonly columns: Int32Array;
  readonly values: Float32Array;
}

/** A matrix from its rows: of each row the columns and their values. */
export function csr(rows: readonly (readonly (readonly [column: number, value: number])[])[]): Csr {
  const elements = rows.flat();
  const starts = new Int32Array(rows.length + 1);
  for (const [i, row] of rows.entries()) starts[i + 1] = (starts[i] ?? 0) + row.length;
  return {
    starts,
    columns: Int32Array.from(elements, ([column]) => column),
    values: Float32Array.from(elements, ([, value]) => value),
  };
}

/** Minus the Laplacian on a square of n × n points, around which everything is 0: 4 here, -1 for each neighbour. */
export function laplacian(n: number): Csr {
  return csr(
    Array.from({ length: n * n }, (_, i) => {
      const [x, y] = [i % n, Math.floor(i / n)];
      const row: [number, number][] = [];
      if (y > 0) row.push([i - n, -1]);
      if (x > 0) row.push([i - 1, -1]);
      row.push([i, 4]);
      if (x < n - 1) row.push([i + 1, -1]);
      if (y < n - 1) row.push([i + n, -1]);
      return row;
    }),
  );
}
