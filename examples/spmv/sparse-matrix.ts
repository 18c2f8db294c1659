/** A sparse matrix on the device, that multiplies vectors. */
import type { Arrays, DeviceArray } from "@cl/array";
import { DeviceBuffer, LocalMemory, Program } from "@cl/core";

import type { Csr } from "./csr.js";
import { spmvSource } from "./spmv.cl.js";

type Floats = DeviceArray<"float32">;

/** How many work-items share a row, where a group has it: a power of two. */
const groupSize = 32;

/** A matrix in CSR's form. */
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

  /** Brings a matrix to the device. */
  static async create(xp: Arrays, matrix: Csr): Promise<SparseMatrix> {
    return new SparseMatrix(xp, await new Program(xp.queue.context, spmvSource).build(), matrix);
  }

  /** The product with a vector, enqueued. A kernel takes an array as an argument if its elements lie side by side. */
  times(x: Floats, rowsPer: "item" | "group" = "item"): Floats {
    const y = this.#xp.empty([this.rows], { dtype: "float32" });
    const [program, { queue }] = [this.#program, this.#xp];
    const [starts, columns, values] = [this.#starts, this.#columns, this.#values];
    if (rowsPer === "item") {
      program.kernel("row_per_item").launch(queue, { global: this.rows }, starts, columns, values, x, y);
    } else {
      const sizes = { global: this.rows * groupSize, local: groupSize };
      const parts = new LocalMemory(4 * groupSize);
      program.kernel("row_per_group").launch(queue, sizes, starts, columns, values, x, y, parts);
    }
    return y;
  }
}
