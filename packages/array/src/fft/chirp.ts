/**
 * Transforms of lengths with a large prime factor, as convolutions of a length without one (Bluestein's algorithm,
 * which rewrites the product of two indices with the square of their difference).
 */
import { OwnerCache } from "@cl/base";
import { type Context, DeviceBuffer, type TypedArray } from "@cl/core";
import { Storage } from "../storage/storage.js";
import { nextFast } from "./factors.js";
import type { Lines } from "./pass.js";
import { runRows } from "./run-rows.js";
import { runPasses } from "./run-passes.js";
import { pairs, storeRoot } from "./tables.js";
import type { ArraySource } from "../storage/array-ref.js";
import type { Direction, Place } from "./place.js";

/** Lines are transformed in parts of this number of elements, to bound the temporary memory. */
const maxPartElements = 2 ** 22;

/** Transforms lines of any length; `inner` of the lines is 1. */
export function runChirp(
  xp: ArraySource,
  dtype: "complex64" | "complex128",
  { batch, length }: Lines,
  source: Place,
  target: Place,
  { inverse, scale }: Direction,
): void {
  const { queue } = xp;
  const real = dtype === "complex64" ? "float" : "double";
  const padded = nextFast(2 * length - 1);
  const { chirp, spectrum } = chirpsOf(xp, dtype, length, padded);
  const most = Math.max(1, Math.floor(maxPartElements / padded));
  using between = xp.empty([Math.min(most, batch) * padded], { dtype });
  const middle: Place = { storage: between.operand().storage, start: 0 };
  for (let first = 0; first < batch; first += most) {
    const rows = Math.min(most, batch - first);
    const lines: Lines = { batch: rows, length: padded, inner: 1 };
    const from = { storage: source.storage, start: source.start + first * length };
    const to = { storage: target.storage, start: target.start + first * length };
    const own = { real, rows, table: chirp, count: length } as const;
    runRows(queue, {
      ...own,
      name: "multiply",
      source: from,
      sourceLength: length,
      target: middle,
      targetLength: padded,
      scale: 1,
      flags: inverse ? 1 : 0,
    });
    runPasses(xp, dtype, lines, middle, middle, { inverse: false, scale: 1 });
    runRows(queue, {
      real,
      rows,
      name: "multiply",
      source: middle,
      sourceLength: padded,
      target: middle,
      targetLength: padded,
      table: spectrum.memory,
      tableStorage: spectrum,
      scale: 1,
    });
    runPasses(xp, dtype, lines, middle, middle, { inverse: true, scale: 1 / padded });
    runRows(queue, {
      ...own,
      name: "multiply",
      source: middle,
      sourceLength: padded,
      target: to,
      targetLength: length,
      scale,
      flags: inverse ? 2 : 0,
    });
  }
}

/** exp(-pi i k^2 / n) for each k. */
function chirpOf(length: number, real: "float" | "double"): Float32Array | Float64Array {
  const table = pairs(real, length);
  // Squares modulo twice the length, computed incrementally, because k * k would overflow.
  let square = 0;
  for (let k = 0; k < length; k++) {
    storeRoot(table, k, square, 2 * length);
    square = (square + 2 * k + 1) % (2 * length);
  }
  return table;
}

/** A chirp, and the transform of the conjugated one, which runs to both sides from 0. */
interface Chirps {
  readonly chirp: DeviceBuffer;
  readonly spectrum: Storage;
}

/** Maximum number of bytes of a context's chirps; those of one length may have more. */
const max = 2 ** 26;

const chirps = new OwnerCache<Context, Chirps>({
  size: {
    max,
    of: ({ chirp, spectrum }) => chirp.size + spectrum.bytes,
    drop: ({ chirp, spectrum }) => {
      chirp.release();
      spectrum.release();
    },
  },
});

function chirpsOf(xp: ArraySource, dtype: "complex64" | "complex128", length: number, padded: number): Chirps {
  return chirps.get(xp.queue.context, `${dtype} ${length}`, () => makeChirps(xp, dtype, length, padded));
}

function makeChirps(xp: ArraySource, dtype: "complex64" | "complex128", length: number, padded: number): Chirps {
  const { context } = xp.queue;
  const real = dtype === "complex64" ? "float" : "double";
  const values = chirpOf(length, real);
  const both = pairs(real, padded);
  for (let k = 0; k < length; k++) {
    const [re, im] = [values[2 * k] as number, -(values[2 * k + 1] as number)];
    both.set([re, im], 2 * k);
    if (k > 0) both.set([re, im], 2 * (padded - k));
  }
  // It stays in the cache, and is computed when its kernels are built.
  const spectrum: Storage = Storage.pending(both.byteLength, {
    isSearched: true,
    allocator: { context, allocate: () => DeviceBuffer.from(context, both) },
    compute: () => {
      const place: Place = { storage: spectrum, start: 0 };
      runPasses(xp, dtype, { batch: 1, length: padded, inner: 1 }, place, place, { inverse: false, scale: 1 });
    },
    release: () => undefined,
  });
  spectrum.retain();
  return { chirp: DeviceBuffer.from<TypedArray>(context, values), spectrum };
}
