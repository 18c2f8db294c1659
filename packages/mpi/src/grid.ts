/** Grids: cells that are divided among the ranks, each with ghosts that copy the cells of its neighbors. */
import { checkBoolean, checkInteger, checkOptions, illegalConstructor, typeError, wrongValue } from "@cl/base";
import type { CommandQueue, Context } from "@cl/core";
import type { Launcher } from "@cl/launcher";

import { bestDivision } from "./boxes.js";
import type { CartesianCommunicator, Communicator } from "./communicator.js";
import { accumulateLauncher } from "./accumulate.js";
import { exchangeLauncher, splitExchange, type SplitExchange } from "./exchange.js";
import { type Field, type FieldArray, type FieldOptions, type FieldType, newField } from "./field.js";
import { GridPart } from "./grid-part.js";
import type { ExchangeOptions } from "./links.js";
import { writeNpy } from "./npy-file.js";
import { transposeLauncher } from "./transpose.js";
import { gatherField, scatterField } from "./whole-field.js";

/** Options of a grid. */
export interface GridOptions {
  /** Cells along each axis, in the order of an array's axes: [rows, columns] or [slices, rows, columns]. */
  readonly shape: readonly number[];
  /**
   * Layers of ghosts around the cells of each rank, for all axes or for each.
   * @defaultValue 1
   */
  readonly ghosts?: number | readonly number[];
  /**
   * Whether the cells at the end of an axis are neighbors of those at its beginning, for all axes or for each.
   * @defaultValue false
   */
  readonly periodic?: boolean | readonly boolean[];
  /** Ranks along each axis; 0 lets the grid choose, so that messages are short. */
  readonly ranks?: readonly number[];
}

/** Tells the constructor that this package calls it. */
const internal: unique symbol = Symbol("internal");

/**
 * A grid of cells that is divided among the ranks of a communicator.
 *
 * @example
 * ```ts
 * const grid = await Grid.create(mpi.world, { shape: [512, 512], ghosts: 1, periodic: true });
 * const u = grid.field(context, Float32Array);
 * await u.fill(queue, (y, x) => Math.sin(x) * Math.cos(y));
 * await grid.exchangeLauncher("ghosts", [u]).enqueue(queue).wait();
 * ```
 */
export class Grid extends GridPart {
  /** @internal */
  constructor(
    token: typeof internal,
    communicator: CartesianCommunicator,
    messages: Communicator,
    shape: readonly number[],
    ghosts: readonly number[],
  ) {
    if (token !== internal) throw illegalConstructor("Grid cannot be constructed directly; use Grid.create()");
    super(communicator, messages, shape, ghosts);
  }

  /** Divides cells among the ranks of a communicator, all of which must call it. */
  static async create(communicator: Communicator, options: GridOptions): Promise<Grid> {
    const { shape, ghosts, periodic, ranks } = checkOptions(options, ["shape", "ghosts", "periodic", "ranks"]);
    if (!Array.isArray(shape) || shape.length < 1 || shape.length > 3) {
      throw typeError("options.shape", "an array of one to three numbers of cells", shape);
    }
    const cells = shape.map((count, axis) => checkInteger(count, `options.shape[${axis}]`, 1));
    const widths = each(ghosts ?? 1, cells.length, "options.ghosts").map((width, axis) =>
      checkInteger(width, `options.ghosts[${axis}]`, 0),
    );
    const wraps = each(periodic ?? false, cells.length, "options.periodic").map((wrap, axis) =>
      checkBoolean(wrap, `options.periodic[${axis}]`, false),
    );
    const given = each(ranks ?? 0, cells.length, "options.ranks").map((count, axis) =>
      checkInteger(count, `options.ranks[${axis}]`, 0, communicator.size),
    );
    const division = bestDivision(communicator.size, cells, given);
    if (division.length === 0) {
      throw wrongValue(
        `options.shape [${cells.join(", ")}] cannot be divided among ${communicator.size} ranks${given.some((count) => count > 0) ? ` as options.ranks [${given.join(", ")}] says` : ""}`,
      );
    }
    for (const [axis, width] of widths.entries()) {
      const least = Math.floor((cells[axis] as number) / (division[axis] as number));
      if (least >= width) continue;
      throw wrongValue(
        `options.ghosts[${axis}] is ${width}, but ranks have only ${least} cells along that axis: use fewer ranks or a larger grid`,
      );
    }
    const arranged = await communicator.cartesian({ shape: division, periodic: wraps });
    return new Grid(internal, arranged, await arranged.duplicate(), cells, widths);
  }

  /** Creates memory for a value of each cell, and for the ghosts, filled with zeros. */
  field<T extends FieldType>(context: Context, type: T, options?: FieldOptions): Field<FieldArray<T>> {
    return newField(this, context, type, options);
  }

  /**
   * Returns a launcher that fills the ghosts of fields with the cells of the neighbors: a member for lists. All ranks must launch it
   * in the same order.
   */
  exchangeLauncher(name: string, fields: readonly Field[], options?: ExchangeOptions): Launcher {
    return exchangeLauncher(this, name, fields, options);
  }

  /**
   * Returns a launcher that adds the ghosts of fields to the cells of the neighbors that they copy: the reverse of
   * {@link exchangeLauncher}, for kernels that add to their neighbors' cells. Ghosts keep their values. A cell at an edge gets the
   * ghosts of several neighbors always in the same order, so results have the same bits in each run.
   */
  accumulateLauncher(name: string, fields: readonly Field[], options?: ExchangeOptions): Promise<Launcher> {
    return accumulateLauncher(this, name, fields, options);
  }

  /**
   * Returns the two halves of an exchange. Commands between them run while cells are read, sent and written; they must neither change
   * cells that are sent nor use ghosts.
   */
  splitExchange(name: string, fields: readonly Field[], options?: ExchangeOptions): SplitExchange {
    return splitExchange(this, name, fields, options);
  }

  /**
   * Returns a grid of the same shape and ranks, without ghosts, in which each rank has all cells along one axis: for Fourier
   * transforms along it. A collective operation.
   */
  pencil(axis: number): Promise<Grid> {
    const { communicator, shape } = this;
    const { periodic } = communicator;
    checkInteger(axis, "axis", 0, shape.length - 1);
    if (shape.length === 1 && communicator.size > 1) throw wrongValue("a grid with one axis has no pencils");
    const ranks = shape.map((_, other) => (other === axis ? 1 : 0));
    return Grid.create(communicator, { shape, ghosts: 0, periodic, ranks });
  }

  /**
   * Returns a launcher that moves the cells of a field to a field of another grid of the same shape, such as a {@link pencil}. A
   * collective operation.
   */
  transposeLauncher(name: string, from: Field, to: Field): Promise<Launcher> {
    return transposeLauncher(name, from, to);
  }

  /** Returns the cells of all ranks on the root, without ghosts; `undefined` on the others. */
  gather<T extends FieldArray>(queue: CommandQueue, field: Field<T>, root = 0): Promise<T | undefined> {
    return gatherField(this, queue, field, root);
  }

  /** Writes the root's cells, without ghosts, to the fields of all ranks. The others pass `undefined`. */
  scatter<T extends FieldArray>(queue: CommandQueue, field: Field<T>, cells: T | undefined, root = 0): Promise<void> {
    return scatterField(this, queue, field, cells, root);
  }

  /**
   * Writes the cells of all ranks to a file in NumPy's format, without ghosts: each rank writes its own. All ranks must call it. The
   * file must be on a file system that all ranks share.
   */
  writeNpy(queue: CommandQueue, field: Field, path: string): Promise<void> {
    return writeNpy(this, queue, field, path);
  }

  /** Returns the class, the cells and the ranks. */
  override toString(): string {
    return `Grid (${this.shape.join(" x ")} cells on ${this.communicator.shape.join(" x ")} ranks)`;
  }
}

function each<T>(value: T | readonly T[], count: number, name: string): readonly T[] {
  if (!Array.isArray(value)) return Array.from({ length: count }, () => value as T);
  if (value.length === count) return value as readonly T[];
  throw wrongValue(`${name} must have ${count} elements, one for each axis, received ${value.length}`);
}
