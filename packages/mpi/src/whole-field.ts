/** The cells of all ranks in one array. */
import { typeError, sizeOf } from "@cl/base";
import type { CommandQueue } from "@cl/core";

import { checkRank } from "./ranks.js";
import type { Field } from "./field.js";
import type { GridPart } from "./grid-part.js";
import type { HostArray } from "./native.js";

/** Returns the cells of all ranks on the root. */
export async function gatherField<T extends HostArray>(
  grid: GridPart,
  queue: CommandQueue,
  field: Field<T>,
  root: number,
): Promise<T | undefined> {
  const { communicator, shape } = grid;
  checkRank(communicator, root, "root");
  const parts = await communicator.gather(await field.read(queue), root);
  if (parts === undefined) return undefined;
  const whole = field.arrayFor(sizeOf(shape));
  for (const [rank, part] of parts.entries()) {
    eachRow(grid, rank, field.components, (inWhole, inPart, length) => {
      (whole as Uint8Array).set(part.subarray(inPart, inPart + length) as Uint8Array, inWhole);
    });
  }
  return whole;
}

/** Writes the root's cells to the fields of all ranks. */
export async function scatterField<T extends HostArray>(
  grid: GridPart,
  queue: CommandQueue,
  field: Field<T>,
  cells: T | undefined,
  root: number,
): Promise<void> {
  const { communicator, shape } = grid;
  checkRank(communicator, root, "root");
  let parts: T[] | undefined;
  if (communicator.rank === root) {
    const empty = field.arrayFor(0);
    const count = sizeOf(shape) * field.components;
    if (cells === undefined || cells.constructor !== empty.constructor || cells.length !== count) {
      throw typeError("cells", `a ${empty.constructor.name} with ${count} elements`, cells);
    }
    parts = Array.from({ length: communicator.size }, (_, rank) => {
      const part = field.arrayFor(sizeOf(grid.partOf(rank).cells));
      eachRow(grid, rank, field.components, (inWhole, inPart, length) => {
        (part as Uint8Array).set(cells.subarray(inWhole, inWhole + length) as Uint8Array, inPart);
      });
      return part;
    });
  }
  await field.write(queue, await communicator.scatter(parts ?? field.arrayFor(0), root));
}

/** Calls a function with the places of each row of a rank's cells, in the whole array and in that of the rank. */
export function eachRow(
  grid: GridPart,
  rank: number,
  components: number,
  visit: (inWhole: number, inPart: number, length: number) => void,
): void {
  const { start, cells } = grid.partOf(rank);
  const length = (cells.at(-1) as number) * components;
  const rows = sizeOf(cells.slice(0, -1));
  for (let row = 0; row < rows; row++) {
    let rest = row;
    let [place, pitch] = [start.at(-1) as number, grid.shape.at(-1) as number];
    for (let axis = cells.length - 2; axis >= 0; axis--) {
      const size = cells[axis] as number;
      place += ((start[axis] as number) + (rest % size)) * pitch;
      pitch *= grid.shape[axis] as number;
      rest = Math.floor(rest / size);
    }
    visit(place * components, row * length, length);
  }
}
