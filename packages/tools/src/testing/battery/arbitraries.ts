/** Random sizes and sequences of steps. */
import * as fc from "fast-check";

/** Returns log-uniform sizes of at least one byte. */
export function sizes(maxBytes: number): fc.Arbitrary<number> {
  const top = Math.floor(Math.log2(maxBytes));
  return fc
    .integer({ min: 0, max: top })
    .chain((log) => fc.integer({ min: 2 ** log, max: Math.min(maxBytes, 2 ** (log + 1) - 1) }));
}

/** A step: an allocation of `bytes`, or the release of the allocation at index `release`, modulo their number. */
export type Step = { readonly bytes: number } | { readonly release: number };

/** Returns sequences of steps. */
export function steps(maxBytes: number, maxLength: number): fc.Arbitrary<Step[]> {
  const allocation = fc.record({ bytes: sizes(maxBytes) });
  const release = fc.record({ release: fc.nat({ max: 1000 }) });
  return fc.array(fc.oneof({ weight: 3, arbitrary: allocation }, { weight: 2, arbitrary: release }), {
    minLength: 1,
    maxLength,
  });
}
