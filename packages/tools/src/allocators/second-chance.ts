/** What a call that must answer at once can do about memory that has run out. */
import { OutOfMemoryError } from "@cl/core";

/** Collects garbage if this process lets us; true if it did. */
export function collectIfPossible(): boolean {
  const { gc } = globalThis as { readonly gc?: () => void };
  if (typeof gc !== "function") return false;
  gc();
  return true;
}

/**
 * Tries a second time where the first found no memory. In between garbage is collected if node runs with `--expose-gc`.
 * That is all that a synchronous call can do: the memory of collected objects goes back in a later turn of the event loop,
 * so the second try profits from what the driver itself has got back meanwhile, and the next calls from the rest.
 */
export function withSecondChance<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof OutOfMemoryError)) throw error;
  }
  collectIfPossible();
  return make();
}
