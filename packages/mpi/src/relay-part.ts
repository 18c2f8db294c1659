/** Boxes of cells as parts of relays. */
import type { RelayBox } from "@cl/core/internal";

import type { Box } from "./boxes.js";
import type { GridPart } from "./grid-part.js";

/** Cells of a grid. */
type Cells = readonly [grid: GridPart, box: Box];

/** Returns a box as bytes, rows and slices of the memory. */
export function relayBoxOf(grid: GridPart, cellBytes: number, box: Box): RelayBox {
  const cells = [grid, box] as const;
  return rowsOf(cells, cellBytes, hasWholeRows(cells));
}

/** Returns boxes of the same size in two grids, with the same region. */
export function relayBoxesOf(cellBytes: number, from: Cells, to: Cells): readonly [RelayBox, RelayBox] {
  const joins = hasWholeRows(from) && hasWholeRows(to);
  return [rowsOf(from, cellBytes, joins), rowsOf(to, cellBytes, joins)];
}

function hasWholeRows([grid, { start, end }]: Cells): boolean {
  return (end.at(-1) as number) - (start.at(-1) as number) === grid.rowPitch;
}

/** Drivers move a few long rows faster than many short ones, so the whole rows of a slice can be joined to one. */
function rowsOf([grid, { start, end }]: Cells, cellBytes: number, joins: boolean): RelayBox {
  const [x = 0, y = 0, z = 0] = start.toReversed();
  const [toX = 1, toY = 1, toZ = 1] = end.toReversed();
  const [row, slice] = [grid.rowPitch * cellBytes, grid.slicePitch * cellBytes];
  const [width, height, depth] = [(toX - x) * cellBytes, toY - y, toZ - z];
  if (!joins) return { origin: [x * cellBytes, y, z], region: [width, height, depth], pitches: [row, slice] };
  const whole = slice * (grid.memoryShape.at(-3) ?? 1);
  return { origin: [y * row, z, 0], region: [width * height, depth, 1], pitches: [slice, whole] };
}
