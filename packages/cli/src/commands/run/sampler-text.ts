/** Reads a sampler of a command line: `sampler`, or `sampler:` and any of the words below. */
import { AddressingMode, FilterMode, type SamplerOptions } from "@cl/core";

import { UsageError } from "../../command.js";

/** What a sampler is made with. */
export type SamplerText = Required<Pick<SamplerOptions, "normalizedCoordinates" | "addressingMode" | "filterMode">>;

const words: Readonly<Record<string, Partial<SamplerText>>> = {
  nearest: { filterMode: FilterMode.NEAREST },
  linear: { filterMode: FilterMode.LINEAR },
  none: { addressingMode: AddressingMode.NONE },
  clamp: { addressingMode: AddressingMode.CLAMP },
  "clamp-to-edge": { addressingMode: AddressingMode.CLAMP_TO_EDGE },
  repeat: { addressingMode: AddressingMode.REPEAT },
  "mirrored-repeat": { addressingMode: AddressingMode.MIRRORED_REPEAT },
  normalized: { normalizedCoordinates: true },
  unnormalized: { normalizedCoordinates: false },
};

/**
 * Reads the words behind `sampler:`, separated by commas.
 *
 * @defaultValue nearest, clamp and normalized, as of `new Sampler(context)`
 */
export function readSampler(list: string, whole: string): SamplerText {
  const given: Partial<SamplerText> = {};
  for (const word of list === "" ? [] : list.split(",")) {
    const found = Object.hasOwn(words, word.trim()) ? words[word.trim()] : undefined;
    if (found === undefined) {
      const known = Object.keys(words).join(", ");
      throw new UsageError(`${JSON.stringify(whole)}: expected ${known}, received "${word}".`);
    }
    if (Object.keys(found).some((name) => name in given)) {
      throw new UsageError(`${JSON.stringify(whole)}: "${word}" contradicts an earlier word.`);
    }
    Object.assign(given, found);
  }
  const { NEAREST } = FilterMode;
  const { CLAMP, REPEAT, MIRRORED_REPEAT } = AddressingMode;
  const sampler = { normalizedCoordinates: true, addressingMode: CLAMP, filterMode: NEAREST, ...given };
  if (!sampler.normalizedCoordinates && [REPEAT, MIRRORED_REPEAT].some((mode) => mode === sampler.addressingMode)) {
    throw new UsageError(`${JSON.stringify(whole)}: repeat and mirrored-repeat need normalized coordinates.`);
  }
  return sampler;
}
