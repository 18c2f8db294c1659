/** What a call that must answer at once can do about memory that has run out. */
import { OutOfMemoryError, reclaimDropped } from "@cl/core";

/**
 * Tries a second time where the first found no memory, and collects garbage in between. That gives pools back what was
 * dropped; the memory of other dropped objects goes back in a later turn of the event loop, so that the second try profits
 * from what the driver itself has got back meanwhile, and the next calls from the rest.
 */
export function withSecondChance<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof OutOfMemoryError)) throw error;
  }
  reclaimDropped();
  return make();
}
