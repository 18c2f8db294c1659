/** Places of the cells of a rank: in the whole grid, in its memory, and for kernels. */
import { type Direction, partOf } from "./boxes.js";
import type { CartesianCommunicator, Communicator } from "./communicator.js";

/** A part of the cells, as a kernel's sizes. */
export interface KernelBox {
  readonly global: readonly number[];
  readonly offset: readonly number[];
}

/** The cells of each rank of a grid, and their places in its memory. */
export class GridPart {
  /** The ranks, arranged as a grid. */
  readonly communicator: CartesianCommunicator;
  /** Cells of all ranks along each axis. */
  readonly shape: readonly number[];
  /** Layers of ghosts along each axis. */
  readonly ghosts: readonly number[];
  /** The first cell of this rank, in the order of {@link shape}. */
  readonly start: readonly number[];
  /** Cells of this rank along each axis, without ghosts. */
  readonly cells: readonly number[];

  /** @internal The same ranks, for messages that never meet those of others. */
  readonly messages: Communicator;
  #nextTag = 0;

  /** @internal */
  constructor(
    communicator: CartesianCommunicator,
    messages: Communicator,
    shape: readonly number[],
    ghosts: readonly number[],
  ) {
    this.communicator = communicator;
    this.messages = messages;
    this.shape = shape;
    this.ghosts = ghosts;
    const part = this.partOf(communicator.rank);
    this.start = part.start;
    this.cells = part.cells;
  }

  /** Returns the cells of a rank. */
  partOf(rank: number): { readonly start: number[]; readonly cells: number[] } {
    const place = this.communicator.coordinatesOf(rank);
    const ranges = this.shape.map((cells, axis) =>
      partOf(cells, this.communicator.shape[axis] as number, place[axis] as number),
    );
    return { start: ranges.map(([start]) => start), cells: ranges.map(([start, end]) => end - start) };
  }

  /** Cells and ghosts of this rank along each axis: the shape of its memory. */
  get memoryShape(): readonly number[] {
    return this.cells.map((cells, axis) => cells + 2 * (this.ghosts[axis] as number));
  }

  /** The global size of a kernel that has a work-item for each cell of this rank. Its first axis is the last of the shape. */
  get inner(): readonly number[] {
    return this.cells.toReversed();
  }

  /** The global offset of such a kernel, which skips the ghosts: `get_global_id` is then the place in memory. */
  get origin(): readonly number[] {
    return this.ghosts.toReversed();
  }

  /** Elements from one row of the memory to the next. */
  get rowPitch(): number {
    return this.memoryShape.at(-1) as number;
  }

  /** Elements from one slice of the memory to the next. */
  get slicePitch(): number {
    return this.rowPitch * (this.memoryShape.at(-2) ?? 1);
  }

  /**
   * Returns the cells as kernel sizes: those that need no ghosts, and boxes of the others. So the inside can be computed while the
   * ghosts are exchanged.
   */
  boxes(): { readonly inside: KernelBox; readonly edges: readonly KernelBox[] } {
    const start = [...this.ghosts];
    const end = this.cells.map((cells, axis) => cells + (this.ghosts[axis] as number));
    const edges: KernelBox[] = [];
    for (const [axis, width] of this.ghosts.entries()) {
      const [from, to] = [start[axis] as number, end[axis] as number];
      const [first, last] = [Math.min(from + width, to), Math.max(to - width, from)];
      const cut = Math.max(first, last);
      if (first > from) edges.push(kernelBox(start, end.with(axis, first)));
      if (to > cut) edges.push(kernelBox(start.with(axis, cut), end));
      start[axis] = first;
      end[axis] = cut;
    }
    return { inside: kernelBox(start, end), edges };
  }

  /**
   * @internal Returns the first of `count` tags. Each exchange has its own, so that exchanges on several queues cannot take each
   * other's messages. MPI guarantees 32,768 tags; after that many they are used again.
   */
  newTags(count: number): number {
    const first = this.#nextTag + count > 32_768 ? 0 : this.#nextTag;
    this.#nextTag = first + count;
    return first;
  }

  /** Returns the neighbor in a direction; `undefined` outside a grid that is not periodic. */
  neighbor(direction: Direction): number | undefined {
    const place = this.communicator.coordinates;
    return this.communicator.rankAt(place.map((at, axis) => at + (direction[axis] as number)));
  }
}

function kernelBox(start: readonly number[], end: readonly number[]): KernelBox {
  return {
    global: end.map((to, axis) => to - (start[axis] as number)).toReversed(),
    offset: start.toReversed(),
  };
}
