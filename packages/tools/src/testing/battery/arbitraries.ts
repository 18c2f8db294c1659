/** Sizes and orders to try. */
import * as fc from "fast-check";

/** Sizes of at least one byte, each power of two as likely as any other. */
export function sizes(maxBytes: number): fc.Arbitrary<number> {
  const top = Math.floor(Math.log2(maxBytes));
  return fc
    .integer({ min: 0, max: top })
    .chain((log) => fc.integer({ min: 2 ** log, max: Math.min(maxBytes, 2 ** (log + 1) - 1) }));
}

/** Something to do: allocate so many bytes, or release the piece at this place among those that there are. */
export type Step = { readonly bytes: number } | { readonly release: number };

/** Things to do. */
export function steps(maxBytes: number, maxLength: number): fc.Arbitrary<Step[]> {
  const allocation = fc.record({ bytes: sizes(maxBytes) });
  const release = fc.record({ release: fc.nat({ max: 1000 }) });
  return fc.array(fc.oneof({ weight: 3, arbitrary: allocation }, { weight: 2, arbitrary: release }), {
    minLength: 1,
    maxLength,
  });
}
