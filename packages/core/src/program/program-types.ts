/** Types declared in a program's source, read on demand. */
import { type SourceType, SourceTypes } from "@cl/base";
import { splitWords } from "./build-options.js";
import { normalizeOptions } from "../cache/build-options.js";
import type { Device } from "../platform/device.js";

/** A compiled source with its options and headers. */
export interface SourceText {
  readonly source: string;
  /** Options passed to the driver. */
  readonly options: string;
  /** Texts of headers by the name used in `#include`. */
  readonly headers: ReadonlyMap<string, string>;
}

/** Types declared in all sources of a program. */
export class ProgramTypes {
  readonly #texts: readonly SourceText[];
  readonly #devices: readonly Device[];
  #read: readonly SourceTypes[] | undefined;

  constructor(texts: readonly SourceText[], devices: readonly Device[]) {
    this.#texts = texts;
    this.#devices = devices;
  }

  /** Returns the type of a name such as `real` or `struct particle`; `undefined` if it is unknown or ambiguous. */
  resolve(name: string): SourceType | undefined {
    const word = name.split(" ").pop() as string;
    const isMentioned = this.#texts.some(
      ({ source, headers }) => source.includes(word) || [...headers.values()].some((header) => header.includes(word)),
    );
    if (!isMentioned) return undefined;
    this.#read ??= this.#texts.map((text) => this.#typesOf(text));
    const [first, ...others] = this.#read.flatMap((types) => types.resolve(name) ?? []);
    return others.every((other) => JSON.stringify(other) === JSON.stringify(first)) ? first : undefined;
  }

  #typesOf({ source, options, headers }: SourceText): SourceTypes {
    const words = normalizeOptions(splitWords(options, "options"));
    return new SourceTypes(source, {
      options: words,
      header: (name) => headers.get(name),
      isPredefined: (name) => this.#isPredefined(name, words),
    });
  }

  /** Returns whether a macro is predefined by the compiler; `undefined` if unknown or different between devices. */
  #isPredefined(name: string, options: readonly string[]): boolean | undefined {
    if (name === "__OPENCL_VERSION__" || name === "__OPENCL_C_VERSION__") return true;
    if (name === "__cplusplus") return options.some((option) => /-cl-std=clc\+\+/i.test(option));
    if (!/^cl_(?:khr|ext)_/.test(name)) return undefined;
    const has = this.#devices.map((device) => device.hasExtension(name));
    return has.every(Boolean) ? true : has.some(Boolean) ? undefined : false;
  }
}
