/** Boxes of cells: which parts of a rank's memory a neighbor needs, and which it fills. */

/** Cells of a rank's memory, ghosts included, from `start` to before `end` along each axis, in the order of an array's axes. */
export interface Box {
  readonly start: readonly number[];
  readonly end: readonly number[];
}

/** Where a neighbor is: -1, 0 or 1 along each axis. */
export type Direction = readonly number[];

/** Returns all directions, or only those along one axis. */
export function directions(dimensions: number, withCorners: boolean): Direction[] {
  const all: Direction[] = [];
  for (let code = 0; code < 3 ** dimensions; code++) {
    const direction = Array.from({ length: dimensions }, (_, axis) => (Math.floor(code / 3 ** axis) % 3) - 1);
    const axes = direction.filter((step) => step !== 0).length;
    if (axes === 1 || (withCorners && axes > 1)) all.push(direction);
  }
  return all;
}

/** The cells that the neighbor in a direction needs: the outermost ones of this rank. */
export function sentBox(inner: readonly number[], ghosts: readonly number[], direction: Direction): Box {
  return along(inner, ghosts, direction, (cells, width, step) =>
    step < 0 ? [width, 2 * width] : [cells, cells + width],
  );
}

/** The ghosts that the neighbor in a direction fills. */
export function receivedBox(inner: readonly number[], ghosts: readonly number[], direction: Direction): Box {
  return along(inner, ghosts, direction, (cells, width, step) =>
    step < 0 ? [0, width] : [width + cells, 2 * width + cells],
  );
}

function along(
  inner: readonly number[],
  ghosts: readonly number[],
  direction: Direction,
  range: (cells: number, width: number, step: number) => readonly [start: number, end: number],
): Box {
  const ranges = inner.map((cells, axis): readonly [number, number] => {
    const [width, step] = [ghosts[axis] as number, direction[axis] as number];
    return step === 0 ? [width, width + cells] : range(cells, width, step);
  });
  return { start: ranges.map(([start]) => start), end: ranges.map(([, end]) => end) };
}

/** Returns a box as layers along some axes, in ascending or descending order. */
export function layersOf(box: Box, axes: readonly boolean[], descending: boolean): Box[] {
  let boxes = [box];
  for (const [axis, isSplit] of axes.entries()) {
    if (!isSplit) continue;
    const [from, to] = [box.start[axis] as number, box.end[axis] as number];
    const places = Array.from({ length: to - from }, (_, i) => (descending ? to - 1 - i : from + i));
    boxes = boxes.flatMap(({ start, end }) =>
      places.map((at) => ({ start: start.with(axis, at), end: end.with(axis, at + 1) })),
    );
  }
  return boxes;
}

/** Returns the number of cells of a box. */
export function cellsOf(box: Box): number {
  return sizesOf(box).reduce((product, size) => product * size, 1);
}

/** Returns the number of cells of a box along each axis. */
export function sizesOf({ start, end }: Box): number[] {
  return end.map((to, axis) => to - (start[axis] as number));
}

/** Returns whether two boxes have a cell in common. */
export function overlap(a: Box, b: Box): boolean {
  return a.start.every(
    (from, axis) => from < (b.end[axis] as number) && (b.start[axis] as number) < (a.end[axis] as number),
  );
}

/**
 * Returns the number of ranks along each axis whose parts have the least surface, and so the shortest messages. If several have,
 * the first axes are divided, which takes fewer messages, of cells that are next to each other in memory.
 */
export function bestDivision(ranks: number, shape: readonly number[], given: readonly number[]): number[] {
  let best: { readonly ranks: number[]; readonly surface: number } | undefined;
  // The last ones divide the first axes most.
  for (const candidate of divisions(ranks, shape.length).toReversed()) {
    if (candidate.some((count, axis) => given[axis] !== 0 && given[axis] !== count)) continue;
    if (candidate.some((count, axis) => count > (shape[axis] as number))) continue;
    const part = shape.map((cells, axis) => cells / (candidate[axis] as number));
    const volume = part.reduce((product, cells) => product * cells, 1);
    const surface = part.reduce((sum, cells, axis) => sum + (candidate[axis] === 1 ? 0 : volume / cells), 0);
    // Rounded, because equal surfaces differ in their last bits.
    if (best === undefined || surface < best.surface * (1 - 1e-9)) best = { ranks: candidate, surface };
  }
  return best?.ranks ?? [];
}

/** Returns all ways to write a number as a product of `count` factors. */
function divisions(product: number, count: number): number[][] {
  if (count === 1) return [[product]];
  const found: number[][] = [];
  for (let factor = 1; factor <= product; factor++) {
    if (product % factor !== 0) continue;
    for (const rest of divisions(product / factor, count - 1)) found.push([factor, ...rest]);
  }
  return found;
}

/** Returns the cells of part `index` of `count` parts: the first parts have one more if they do not divide evenly. */
export function partOf(cells: number, count: number, index: number): readonly [start: number, end: number] {
  const [least, more] = [Math.floor(cells / count), cells % count];
  const start = index * least + Math.min(index, more);
  return [start, start + least + (index < more ? 1 : 0)];
}
