/** A sparse matrix on the device. */
import type { Arrays, DeviceArray } from "@cl/array";
import { DeviceBuffer, LocalMemory, Program } from "@cl/core";

import type { Csr } from "./csr.js";
import { spmvSource } from "./spmv.cl.js";

type Floats = DeviceArray<"float32">;

/** Work-items that share a row in `row_per_group`, a power of two. */
const groupSize = 32;

/** A matrix in CSR format. */
export class SparseMatrix {
  readonly rows: number;
  readonly #xp: Arrays;
  readonly #program: Program<typeof spmvSource>;
  readonly #starts: DeviceBuffer;
  readonly #columns: DeviceBuffer;
  readonly #values: DeviceBuffer;

  private constructor(xp: Arrays, program: Program<typeof spmvSource>, { starts, columns, values }: Csr) {
    const { context } = xp.queue;
    this.rows = starts.length - 1;
    this.#xp = xp;
    this.#program = program;
    this.#starts = DeviceBuffer.from(context, starts, { access: "read-only" });
    this.#columns = DeviceBuffer.from(context, columns, { access: "read-only" });
    this.#values = DeviceBuffer.from(context, values, { access: "read-only" });
  }

  /** Copies a matrix to the device. */
  static async create(xp: Arrays, matrix: Csr): Promise<SparseMatrix> {
    return new SparseMatrix(xp, await new Program(xp.queue.context, spmvSource).build(), matrix);
  }

  /** Enqueues the product with a vector, whose elements must be contiguous. */
  multiply(x: Floats, rowPer: "item" | "group" = "item"): Floats {
    const y = this.#xp.empty([this.rows], { dtype: "float32" });
    const [program, { queue }] = [this.#program, this.#xp];
    const [starts, columns, values] = [this.#starts, this.#columns, this.#values];
    if (rowPer === "item") {
      program.kernel("row_per_item").launch(queue, { global: this.rows }, starts, columns, values, x, y);
    } else {
      const sizes = { global: this.rows * groupSize, local: groupSize };
      const partialSums = new LocalMemory(4 * groupSize);
      program.kernel("row_per_group").launch(queue, sizes, starts, columns, values, x, y, partialSums);
    }
    return y;
  }
}
