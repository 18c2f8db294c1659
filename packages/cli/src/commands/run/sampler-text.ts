/** Parses a sampler of the command line: `sampler`, or `sampler:` and a list of the settings below. */
import { AddressingMode, FilterMode, type SamplerOptions } from "@cl/core";

import { UsageError } from "../../command.js";

/** Settings of a sampler. */
export type SamplerText = Required<Pick<SamplerOptions, "normalizedCoordinates" | "addressingMode" | "filterMode">>;

const settings: Readonly<Record<string, Partial<SamplerText>>> = {
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
 * Parses the settings after `sampler:`, separated by commas.
 *
 * @defaultValue nearest, clamp and normalized, as in `new Sampler(context)`
 */
export function readSampler(list: string, argument: string): SamplerText {
  const options: Partial<SamplerText> = {};
  for (const name of list === "" ? [] : list.split(",")) {
    const setting = Object.hasOwn(settings, name.trim()) ? settings[name.trim()] : undefined;
    if (setting === undefined) {
      const known = Object.keys(settings).join(", ");
      throw new UsageError(`${JSON.stringify(argument)} must have settings from ${known}, received "${name}".`);
    }
    if (Object.keys(setting).some((key) => key in options)) {
      throw new UsageError(`${JSON.stringify(argument)}: "${name}" conflicts with an earlier setting.`);
    }
    Object.assign(options, setting);
  }
  const { NEAREST } = FilterMode;
  const { CLAMP, REPEAT, MIRRORED_REPEAT } = AddressingMode;
  const sampler = { normalizedCoordinates: true, addressingMode: CLAMP, filterMode: NEAREST, ...options };
  if (!sampler.normalizedCoordinates && [REPEAT, MIRRORED_REPEAT].some((mode) => mode === sampler.addressingMode)) {
    throw new UsageError(`${JSON.stringify(argument)}: repeat and mirrored-repeat require normalized coordinates.`);
  }
  return sampler;
}
