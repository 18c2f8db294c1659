/** Options for fast measurements with meaningless values. */
import type { CharacterizeOptions } from "@cl/characterize";

export const small: CharacterizeOptions = { quick: true, duration: 0.0005, maxBytes: 2 ** 20, cache: false };
