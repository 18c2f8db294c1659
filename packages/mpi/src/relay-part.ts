/** Boxes of cells as parts of relays. */
import type { RelayBox } from "@cl/core/internal";

import type { Box } from "./boxes.js";
import type { GridPart } from "./grid-part.js";

/** Returns a box as bytes, rows and slices of the memory. */
export function relayBoxOf(grid: GridPart, cellBytes: number, { start, end }: Box): RelayBox {
  const [x = 0, y = 0, z = 0] = start.toReversed();
  const [toX = 1, toY = 1, toZ = 1] = end.toReversed();
  return {
    origin: [x * cellBytes, y, z],
    region: [(toX - x) * cellBytes, toY - y, toZ - z],
    pitches: [grid.rowPitch * cellBytes, grid.slicePitch * cellBytes],
  };
}
