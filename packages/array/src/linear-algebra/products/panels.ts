/** Products on CPUs: copies to panels, and the product of panels. */
import { sizeOf } from "@cl/base";
import { kernelOf } from "../../kernels/kernel-cache.js";
import { launchOrdered } from "../../kernels/launch.js";
import type { Storage } from "../../storage/storage.js";
import { type DTypeName, typeNamed } from "../../types/dtype-name.js";
import { realOf } from "../../types/promote.js";
import { factors, type Launch, launchProduct, productArgument } from "./launch.js";
import { blockOf, packSource, panelSource, unitsOf } from "./panel-source.js";
import { type Geometry, padded, type Place, turned } from "./product.js";
import { partsOf } from "./product-source.js";
import type { ArrayRef } from "../../storage/array-ref.js";

/** Approximate maximum size in bytes of the copies of both matrices at a time. */
const maxScratch = 2 ** 28;

/** Enqueues a product by way of panels. */
export function multiplyPanels(launch: Launch, splits: number, depth: number, apart: number): void {
  const { geometry } = launch;
  // The result is stored along its columns, and fewer columns than a block has are better rows.
  const { m, n, c } = geometry;
  const { rows, columns } = blockOf(launch.types.sum);
  const waste = (down: number, across: number): number =>
    (Math.ceil(down / rows) * rows * Math.ceil(across / columns) * columns) / (down * across);
  const isTurned = c.column !== 1 && c.row === 1 ? waste(n, m) < 1.5 * waste(m, n) : waste(n, m) * 1.5 < waste(m, n);
  for (const part of eachPart(isTurned ? turnedLaunch(launch) : launch)) multiplyPart(part, splits, depth, apart);
}

function turnedLaunch(launch: Launch): Launch {
  const { types, geometry, a, b } = launch;
  return {
    ...launch,
    a: b,
    b: a,
    types: { ...types, a: types.b, b: types.a, conjugateA: types.conjugateB, conjugateB: types.conjugateA },
    geometry: turned(geometry),
  };
}

/** Products whose copies are not too large: some matrices of the batch, or some rows and columns of each. */
function eachPart(launch: Launch): readonly Launch[] {
  const { geometry, types } = launch;
  const { m, n, k, extents } = geometry;
  const size = typeNamed(types.sum).itemSize;
  const { rows, columns } = blockOf(types.sum);
  if ((m + n + rows + columns) * k * sizeOf(extents) * size <= maxScratch) return [launch];
  const parts: Launch[] = [];
  if (extents.length > 0) {
    const last = extents.length - 1;
    const extent = extents[last] as number;
    const one = (m + n + rows + columns) * k * sizeOf(extents.slice(0, last)) * size;
    const step = Math.max(1, Math.floor(maxScratch / one));
    const from = (place: Place, start: number): Place => ({
      ...place,
      offset: place.offset + start * (place.batch[last] as number),
    });
    for (let start = 0; start < extent; start += step) {
      const count = Math.min(step, extent - start);
      const part: Geometry = {
        ...geometry,
        // A single one is no axis, so that the next one inside is divided.
        extents: count === 1 ? extents.slice(0, last) : extents.with(last, count),
        a: from(geometry.a, start),
        b: from(geometry.b, start),
        c: from(geometry.c, start),
      };
      parts.push(...(count === 1 ? eachPart({ ...launch, geometry: part }) : [{ ...launch, geometry: part }]));
    }
    return parts;
  }
  // Half of it for each matrix, in whole blocks, of which there is one at least.
  const most = (block: number): number => Math.max(1, Math.floor(maxScratch / 2 / (k * size) / block)) * block;
  const [down, across] = [Math.max(most(rows), 16 * rows), Math.max(most(columns), 8 * columns)];
  for (let x = 0; x < n; x += across) {
    for (let y = 0; y < m; y += down) {
      const { a, b, c } = geometry;
      parts.push({
        ...launch,
        geometry: {
          ...geometry,
          m: Math.min(down, m - y),
          n: Math.min(across, n - x),
          a: { ...a, offset: a.offset + y * a.row },
          b: { ...b, offset: b.offset + x * b.column },
          c: { ...c, offset: c.offset + y * c.row + x * c.column },
        },
      });
    }
  }
  return parts;
}

function multiplyPart(launch: Launch, splits: number, depth: number, apart: number): void {
  const { xp, types, geometry, a, b, c } = launch;
  const { queue } = xp;
  const { m, n, extents } = geometry;
  const block = blockOf(types.sum);
  using left = packed(launch, a, types.a, types.conjugateA, block.rows, {
    place: geometry.a,
    apart: geometry.a.row,
    step: geometry.a.column,
    count: m,
  });
  using right = packed(launch, b, types.b, types.conjugateB, block.columns, {
    place: geometry.b,
    apart: geometry.b.column,
    step: geometry.b.row,
    count: n,
  });
  const kernel = kernelOf(queue.context, `product panels ${types.sum} ${types.c}`, "product", () => panelSource(types));
  const units = unitsOf(block, m, n) * sizeOf(extents) * splits;
  const numbers = [productArgument(geometry, splits, depth, apart), ...factors(launch)];
  const memory = { a: left.operand().storage, b: right.operand().storage, c };
  launchProduct(xp, { kernel, sizes: { global: Math.min(units, 1024), local: 1 }, numbers }, memory);
}

/** The layout of the lines of a matrix: their number, and the strides between lines and between elements. */
interface Lines {
  readonly place: Place;
  readonly apart: number;
  readonly step: number;
  readonly count: number;
}

function packed(
  { xp, types: { sum }, geometry: { k, extents } }: Launch,
  from: Storage,
  type: DTypeName,
  conjugate: boolean,
  width: number,
  { place, apart, step, count }: Lines,
): ArrayRef {
  const { queue } = xp;
  const panels = Math.ceil(count / width) * sizeOf(extents);
  const into = xp.empty([panels * width * k * partsOf(sum)], { dtype: realOf(sum) });
  try {
    const key = `product pack ${type} ${sum} ${width} ${conjugate}`;
    const kernel = kernelOf(queue.context, key, "pack", () => packSource(type, sum, width, conjugate));
    const numbers = [place.offset, apart, step, count, k, ...padded(extents, 1), ...padded(place.batch, 0)];
    const { storage } = into.operand();
    const args = [from.memory, storage.memory, BigInt64Array.from(numbers, BigInt)];
    const units = panels * Math.ceil(k / 256);
    launchOrdered(queue, kernel, { global: Math.min(units, 256), local: 1 }, args, [from], [storage]);
    return into;
  } catch (error) {
    into.release();
    throw error;
  }
}
