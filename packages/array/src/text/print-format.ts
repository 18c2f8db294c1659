/** Formats of numbers as in C and Python's `%` operator: `"%.18e"`, `"%5d, %-8.3f"`. */
import { wrongValue } from "@cl/base";
import { exponential, fixed, maxDigits } from "./half-even.js";

/** A conversion, such as `%8.3f`. */
interface Conversion {
  readonly flags: string;
  readonly width: number;
  /** Undefined for the default. */
  readonly precision: number | undefined;
  readonly type: string;
}

/** A text with conversions, each of which writes one number. */
export class PrintFormat {
  /** The text before each conversion, and after the last one. */
  readonly #texts: readonly string[];
  readonly #conversions: readonly Conversion[];

  private constructor(texts: readonly string[], conversions: readonly Conversion[]) {
    this.#texts = texts;
    this.#conversions = conversions;
  }

  /** Parses a format; `name` is the argument's. */
  static parse(format: string, name: string): PrintFormat {
    const texts: string[] = [""];
    const conversions: Conversion[] = [];
    for (const [part, flags = "", width, precision, type] of format.matchAll(
      /%([-+ 0#]*)(\d{0,3})(?:\.(\d{0,3}))?([dieEfFgGs%])|%|[^%]+/gu,
    )) {
      if (part === "%%") texts.push(`${texts.pop()}%`);
      else if (type !== undefined && type !== "%") {
        const digits = precision === undefined ? undefined : Number(precision);
        if (digits !== undefined && digits > maxDigits) {
          throw wrongValue(`${name} must have a precision of at most ${maxDigits}, received ${JSON.stringify(part)}`);
        }
        conversions.push({ flags, width: Number(width), precision: digits, type });
        texts.push("");
      } else if (part.startsWith("%")) {
        throw wrongValue(
          `${name} must have conversions such as %d, %.3f, %e, %g or %s, received ${JSON.stringify(format)}`,
        );
      } else texts.push(`${texts.pop()}${part}`);
    }
    return new PrintFormat(texts, conversions);
  }

  /** Number of conversions. */
  get count(): number {
    return this.#conversions.length;
  }

  /** Writes one number for each conversion, from position `start` of the list. */
  print(values: readonly (number | bigint)[], start = 0): string {
    let text = this.#texts[0] as string;
    for (const [i, conversion] of this.#conversions.entries()) {
      text += convert(values[start + i] as number | bigint, conversion) + (this.#texts[i + 1] as string);
    }
    return text;
  }
}

function convert(value: number | bigint, conversion: Conversion): string {
  const { flags, width, type } = conversion;
  const body = digitsOf(value, conversion);
  const isNegative = body.startsWith("-");
  const digits = isNegative ? body.slice(1) : body;
  const sign = isNegative ? "-" : signOf(flags, type);
  if (flags.includes("-")) return (sign + digits).padEnd(width);
  if (flags.includes("0") && type !== "s") return sign + digits.padStart(width - sign.length, "0");
  return (sign + digits).padStart(width);
}

/** The sign of numbers that are not negative. */
function signOf(flags: string, type: string): string {
  if (type === "s") return "";
  if (flags.includes("+")) return "+";
  return flags.includes(" ") ? " " : "";
}

function digitsOf(value: number | bigint, { flags, precision, type }: Conversion): string {
  const keepsPoint = flags.includes("#");
  switch (type) {
    case "d":
    case "i":
      return integerOf(value, precision ?? 0);
    case "s":
      return notFinite(value) ?? String(value);
    case "f":
    case "F":
      return inCase(type, notFinite(value) ?? fixedText(Number(value), precision ?? 6));
    case "e":
    case "E":
      return inCase(type, notFinite(value) ?? exponentText(Number(value), precision ?? 6));
    default:
      return inCase(type, notFinite(value) ?? generalText(Number(value), Math.max(1, precision ?? 6), keepsPoint));
  }
}

function inCase(type: string, text: string): string {
  return type === type.toUpperCase() ? text.toUpperCase() : text;
}

function notFinite(value: number | bigint): string | undefined {
  if (typeof value === "bigint" || Number.isFinite(value)) return undefined;
  if (Number.isNaN(value)) return "nan";
  return value < 0 ? "-inf" : "inf";
}

/** An integer, or the integer part of a number. */
function integerOf(value: number | bigint, digits: number): string {
  const whole = typeof value === "bigint" ? value : BigInt(Math.trunc(finite(value)));
  const text = String(whole < 0n ? -whole : whole).padStart(digits, "0");
  return whole < 0n ? `-${text}` : text;
}

function finite(value: number): number {
  if (Number.isFinite(value)) return value;
  throw wrongValue(`${notFinite(value)} cannot be written as an integer; use a conversion such as %g`);
}

/** JavaScript writes no sign before a zero. */
function withZeroSign(value: number, text: string): string {
  return Object.is(value, -0) || (value < 0 && !text.startsWith("-")) ? `-${text}` : text;
}

function fixedText(value: number, digits: number): string {
  return withZeroSign(value, fixed(value, digits));
}

/** An exponent has at least two digits. */
function exponentText(value: number, digits: number): string {
  return withZeroSign(value, exponential(value, digits).replace(/e([-+])(\d)$/u, "e$10$2"));
}

/** The shorter of both notations, with a number of significant digits, without trailing zeros. */
function generalText(value: number, digits: number, keepsPoint: boolean): string {
  const exponent = Number(exponential(value, digits - 1).split("e")[1]);
  const text =
    exponent >= -4 && exponent < digits ? fixedText(value, digits - 1 - exponent) : exponentText(value, digits - 1);
  return keepsPoint ? text : text.replace(/(?:\.0+|(\.\d*?)0+)(?=e|$)/u, "$1");
}
