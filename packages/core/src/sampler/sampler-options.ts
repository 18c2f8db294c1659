/** Options of samplers. */
import { checkBoolean, checkInteger, checkOptions, rangeError, typeError, wrongValue } from "@cl/base";

import { AddressingMode, FilterMode, SamplerProperties } from "../binding/constants.js";
import { constantName } from "../info/names.js";

/** Options for creating a sampler. */
export interface SamplerOptions {
  /**
   * Whether coordinates are in [0, 1] instead of in pixels.
   * @defaultValue true
   */
  readonly normalizedCoordinates?: boolean;
  /**
   * How coordinates outside the image are handled. `CLAMP` reads the border color.
   * @defaultValue `AddressingMode.CLAMP`
   */
  readonly addressingMode?: AddressingMode;
  /**
   * Whether to read the nearest pixel or to interpolate linearly.
   * @defaultValue `FilterMode.NEAREST`
   */
  readonly filterMode?: FilterMode;
  /** Label shown in errors and traces. */
  readonly label?: string;
}

/** Raw OpenCL key-value pairs, including vendor-specific ones. */
export type SamplerPropertyList = readonly (readonly [key: number, value: number | bigint])[];

const { REPEAT, MIRRORED_REPEAT, CLAMP } = AddressingMode;

/** Returns the native property list, without its terminating 0. */
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
      `options.addressingMode ${name} requires normalizedCoordinates: true (undefined in OpenCL otherwise)`,
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
    // A key of 0 would end the list and silently drop the rest.
    const number = BigInt(checkInteger(key, `${name}[0]`, 1));
    if (typeof value !== "bigint") return [number, BigInt(checkInteger(value, `${name}[1]`))];
    if (BigInt.asUintN(64, value) !== value) throw rangeError(`${name}[1]`, "an unsigned 64-bit integer", value);
    return [number, value];
  });
}
