/** Measurements that take no time: their figures mean nothing, their form is that of the real ones. */
import type { CharacterizeOptions } from "@cl/characterize";

export const small: CharacterizeOptions = { quick: true, duration: 0.0005, maxBytes: 2 ** 20, cache: false };
