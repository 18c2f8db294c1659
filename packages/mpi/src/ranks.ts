/** What operations need to know of a communicator. */
import { wrongValue } from "@cl/base";

/** A communicator as operations see it. */
export interface Ranks {
  readonly handle: number;
  readonly rank: number;
  readonly size: number;
}

/** Returns a rank after checking it. */
export function checkRank({ size }: Ranks, rank: number, name: string): number {
  if (Number.isInteger(rank) && rank >= 0 && rank < size) return rank;
  throw wrongValue(`${name} must be a rank from 0 to ${size - 1}, received ${String(rank)}`);
}
