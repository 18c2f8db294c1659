/** Handles of native objects. */

/** A handle of a native object: slot index and generation in one 32-bit integer. 0 is no object. */
export type Handle = number;
