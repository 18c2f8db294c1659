/** How native objects are named. */

/** A native object: slot index and generation in one 32-bit integer. 0 names nothing. */
export type Handle = number;
