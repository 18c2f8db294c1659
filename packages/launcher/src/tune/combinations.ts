/** Combinations of tuning parameters' values, without storing all of them. */
import { randomNumbers } from "@cl/base";

import type { TuningSpace, TuningValue, TuningValues } from "./tune-types.js";

/** Combinations to try. */
export interface Combinations {
  readonly chosen: readonly TuningValues[];
  /** Number of valid combinations; if there are too many to check, of all combinations. */
  readonly possible: number;
}

/**
 * Returns all valid combinations, last parameter fastest. If there are more than `limit`, returns a random selection in the same
 * order, which depends on `seed`.
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
  return (total <= MAX_CHECKED ? selectFromAll : selectByDrawing)({ space, names, total, when, limit, random });
}

/** Arguments of the selection. */
interface Selection {
  readonly space: TuningSpace;
  readonly names: readonly string[];
  readonly total: number;
  readonly when: (values: TuningValues) => boolean;
  readonly limit: number;
  readonly random: () => number;
}

/** Checks every combination, and selects `limit` valid ones uniformly (reservoir sampling). */
function selectFromAll({ space, names, total, when, limit, random }: Selection): Combinations {
  const selected: number[] = [];
  let possible = 0;
  for (let index = 0; index < total; index++) {
    if (!when(combination(space, names, index))) continue;
    possible++;
    if (selected.length < limit) selected.push(index);
    else {
      const slot = Math.floor(random() * possible);
      if (slot < limit) selected[slot] = index;
    }
  }
  const chosen = selected.toSorted((a, b) => a - b).map((index) => combination(space, names, index));
  return { chosen, possible };
}

/** Draws random combinations until there are enough valid ones, or too many draws. */
function selectByDrawing({ space, names, total, when, limit, random }: Selection): Combinations {
  const selected = new Set<number>();
  for (let draw = 0; draw < MAX_CHECKED && selected.size < limit; draw++) {
    // Two numbers, since one has only 32 bits.
    const index = Math.min(total - 1, Math.floor((random() + random() / 2 ** 32) * total));
    if (!selected.has(index) && when(combination(space, names, index))) selected.add(index);
  }
  const chosen = [...selected].toSorted((a, b) => a - b).map((index) => combination(space, names, index));
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
  // In the order of the space.
  return Object.fromEntries(names.map((name) => [name, values[name] as TuningValue]));
}

const MAX_CHECKED = 100_000;
