/** Sparse matrices in compressed sparse row format (CSR), which stores only nonzero elements. */

/** The nonzero elements, row by row. */
export interface Csr {
  /** Index in `columns` and `values` at which each row starts, followed by the end of the last row. */
  readonly starts: Int32Array;
  readonly columns: Int32Array;
  readonly values: Float32Array;
}

/** Creates a matrix from the columns and values of each row. */
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

/** Returns the negative Laplacian on n × n points with zero boundary: 4 on the diagonal, -1 for each neighbor. */
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
