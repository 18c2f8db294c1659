/** The combinations of tuning parameters' values, without ever making all of very many. */
import { randomNumbers } from "@cl/base";

import type { TuningSpace, TuningValue, TuningValues } from "./tune-types.js";

/** The combinations to try. */
export interface Combinations {
  readonly chosen: readonly TuningValues[];
  /** How many there are; where there are too many to look at each, those included that may not go together. */
  readonly possible: number;
}

/**
 * All combinations that go together, the last parameter changing fastest; or, where there are more than `limit`, so many of
 * them that `seed` chooses, in the same order.
 */
export function combinations(
  space: TuningSpace,
  when: (values: TuningValues) => boolean,
  limit: number,
  seed: number,
): Combinations {
  const names = Object.keys(space);
  const total = names.reduce((product, name) => product * (space[name] as readonly TuningValue[]).length, 1);
  const random = randomNumbers(seed);
  return (total <= LOOKED_AT ? all : some)({ space, names, total, when, limit, random });
}

/** What to choose from, and how. */
interface Choice {
  readonly space: TuningSpace;
  readonly names: readonly string[];
  readonly total: number;
  readonly when: (values: TuningValues) => boolean;
  readonly limit: number;
  readonly random: () => number;
}

/** Looks at each, and keeps `limit` of those that go together, each with the same chance. */
function all({ space, names, total, when, limit, random }: Choice): Combinations {
  const kept: number[] = [];
  let possible = 0;
  for (let index = 0; index < total; index++) {
    if (!when(combination(space, names, index))) continue;
    possible++;
    if (kept.length < limit) kept.push(index);
    else {
      const place = Math.floor(random() * possible);
      if (place < limit) kept[place] = index;
    }
  }
  const chosen = kept.toSorted((a, b) => a - b).map((index) => combination(space, names, index));
  return { chosen, possible };
}

/** Draws until there are enough, or until it seems that there are not so many that go together. */
function some({ space, names, total, when, limit, random }: Choice): Combinations {
  const kept = new Set<number>();
  for (let draw = 0; draw < LOOKED_AT && kept.size < limit; draw++) {
    // Two numbers, since one has 32 bits only.
    const index = Math.min(total - 1, Math.floor((random() + random() / 2 ** 32) * total));
    if (!kept.has(index) && when(combination(space, names, index))) kept.add(index);
  }
  const chosen = [...kept].toSorted((a, b) => a - b).map((index) => combination(space, names, index));
  return { chosen, possible: total };
}

function combination(space: TuningSpace, names: readonly string[], index: number): TuningValues {
  const values: Record<string, TuningValue> = {};
  let rest = index;
  for (const name of names.toReversed()) {
    const list = space[name] as readonly TuningValue[];
    values[name] = list[rest % list.length] as TuningValue;
    rest = Math.floor(rest / list.length);
  }
  // In the order of the space, as everybody will see them.
  return Object.fromEntries(names.map((name) => [name, values[name] as TuningValue]));
}

/** How many are looked at. */
const LOOKED_AT = 100_000;
