/** Elements that are parsed from text, in host memory that grows. */
import type { DTypeValue } from "@cl/core";
import type { DTypeName, TypedDType } from "../types/dtype-name.js";

/** A list of elements of one dtype, to which text is appended. */
export class TextElements {
  readonly #dtype: TypedDType<DTypeName>;
  readonly #parse: (text: string) => DTypeValue | undefined;
  #view = new DataView(new ArrayBuffer(4096));
  #bytes = 0;

  constructor(dtype: TypedDType<DTypeName>) {
    this.#dtype = dtype;
    this.#parse = parserOf(dtype.name);
  }

  /** The bytes of the elements. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#view.buffer, 0, this.#bytes);
  }

  /** Appends an element. Returns false if the text is not one. Throws a RangeError if it is out of the dtype's range. */
  append(text: string): boolean {
    const value = this.#parse(text);
    if (value === undefined) return false;
    const { itemSize } = this.#dtype;
    if (this.#bytes + itemSize > this.#view.byteLength) this.#grow();
    this.#dtype.set(this.#view, this.#bytes, value);
    this.#bytes += itemSize;
    return true;
  }

  #grow(): void {
    const larger = new Uint8Array(2 * this.#view.byteLength);
    larger.set(this.bytes);
    this.#view = new DataView(larger.buffer);
  }
}

function parserOf(name: DTypeName): (text: string) => DTypeValue | undefined {
  switch (name) {
    case "bool":
      return parseBoolean;
    case "int64":
    case "uint64":
      return (text) => (integer.test(text) ? BigInt(text.replace("+", "")) : undefined);
    case "int8":
    case "int16":
    case "int32":
    case "uint8":
    case "uint16":
    case "uint32":
      return (text) => (integer.test(text) ? Number(text) : undefined);
    case "float16":
    case "float32":
    case "float64":
      return parseNumber;
    case "complex64":
    case "complex128":
      return parseComplex;
    default:
      return name satisfies never;
  }
}

const integer = /^[-+]?\d+$/u;

/** As in NumPy, an integer other than 0 is true. */
function parseBoolean(text: string): boolean | undefined {
  return integer.test(text) ? Number(text) !== 0 : undefined;
}

/** `Number` also accepts hexadecimal numbers and an empty text. */
function parseNumber(text: string): number | undefined {
  if (/^[-+.\dEe]+$/u.test(text)) {
    const value = Number(text);
    return Number.isNaN(value) ? undefined : value;
  }
  const [, sign, name] = /^([-+]?)(inf|infinity|nan)$/iu.exec(text) ?? [];
  if (name === undefined) return undefined;
  if (name.toLowerCase() === "nan") return NaN;
  return sign === "-" ? -Infinity : Infinity;
}

// Each text matches in one way only: trying all ways would take quadratic time for long numbers.
const real = String.raw`[-+]?(?:(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?|inf(?:inity)?|nan)`;
const imaginaryAlone = new RegExp(`^(${real})j$`, "iu");
const bothParts = new RegExp(`^(${real})(?:(?=[-+])(${real})j)?$`, "iu");

/** A complex number as Python and NumPy write it: `(1+2j)`, `1-2j`, `2j`, `1`. */
function parseComplex(text: string): DTypeValue | undefined {
  const own = text.replace(/^\((.*)\)$/u, "$1").trim();
  const [, alone] = imaginaryAlone.exec(own) ?? [];
  const [, re, im] = alone === undefined ? (bothParts.exec(own) ?? []) : ["", "0", alone];
  if (re === undefined) return undefined;
  return { re: parseNumber(re) as number, im: parseNumber(im ?? "0") as number };
}
