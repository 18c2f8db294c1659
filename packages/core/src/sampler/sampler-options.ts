/** What a sampler is made with, checked and as the native property list. */
import { checkBoolean, checkInteger, checkOptions, rangeError, typeError, wrongValue } from "@cl/base";

import { AddressingMode, FilterMode, SamplerProperties } from "../binding/constants.js";
import { constantName } from "../info/names.js";

/** How kernels read images through a sampler. */
export interface SamplerOptions {
  /** Coordinates go from 0 to 1, whatever the image's size; true if not said. With false they count elements. */
  readonly normalizedCoordinates?: boolean;
  /** What is read outside of the image; `AddressingMode.CLAMP` if not said, which reads the border color. */
  readonly addressingMode?: AddressingMode;
  /** The nearest element, or an interpolation of its neighbours; `FilterMode.NEAREST` if not said. */
  readonly filterMode?: FilterMode;
  /** A name of yours, shown in errors and traces. */
  readonly label?: string;
}

/** OpenCL's own key and value pairs, vendors' included. */
export type SamplerPropertyList = readonly (readonly [key: number, value: number | bigint])[];

const { REPEAT, MIRRORED_REPEAT, CLAMP } = AddressingMode;

/** The native property list, without its closing 0. */
export function samplerProperties(given: SamplerOptions | SamplerPropertyList | undefined): BigUint64Array {
  return BigUint64Array.from(Array.isArray(given) ? pairs(given) : fromOptions(given as SamplerOptions | undefined));
}

function fromOptions(given: SamplerOptions | undefined): bigint[] {
  const options = checkOptions(given, ["normalizedCoordinates", "addressingMode", "filterMode", "label"]);
  const normalized = checkBoolean(options.normalizedCoordinates, "options.normalizedCoordinates", true);
  const { addressingMode = CLAMP, filterMode = FilterMode.NEAREST } = options;
  checkChoice(addressingMode, AddressingMode, "options.addressingMode", "AddressingMode");
  checkChoice(filterMode, FilterMode, "options.filterMode", "FilterMode");
  if (!normalized && (addressingMode === REPEAT || addressingMode === MIRRORED_REPEAT)) {
    const name = constantName(AddressingMode, addressingMode) as string;
    throw wrongValue(
      `options.addressingMode ${name} needs normalized coordinates: OpenCL says nothing of where others repeat`,
    );
  }
  const { NORMALIZED_COORDS, ADDRESSING_MODE, FILTER_MODE } = SamplerProperties;
  return [NORMALIZED_COORDS, normalized ? 1 : 0, ADDRESSING_MODE, addressingMode, FILTER_MODE, filterMode].map(BigInt);
}

function checkChoice(value: unknown, values: Readonly<Record<string, number>>, name: string, type: string): void {
  const known = Object.keys(values).map((key) => `${type}.${key}`);
  if (typeof value !== "number") throw typeError(name, `one of ${known.join(", ")}`, value);
  if (!Object.values(values).includes(value)) throw rangeError(name, `one of ${known.join(", ")}`, value);
}

function pairs(list: readonly unknown[]): bigint[] {
  return list.flatMap((pair, i) => {
    const name = `options[${i}]`;
    if (!Array.isArray(pair) || pair.length !== 2) throw typeError(name, "a [key, value] pair", pair);
    const [key, value] = pair as [unknown, unknown];
    // A key of 0 ends the list: what follows would be dropped silently.
    const number = BigInt(checkInteger(key, `${name}[0]`, 1));
    if (typeof value !== "bigint") return [number, BigInt(checkInteger(value, `${name}[1]`))];
    if (BigInt.asUintN(64, value) !== value) throw rangeError(`${name}[1]`, "a value of 64 bits", value);
    return [number, value];
  });
}
