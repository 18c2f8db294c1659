/**
 * Elements as text of one width, as NumPy writes them: the fewest digits that distinguish adjacent floats, at most 8
 * fractional digits.
 */
import type { Complex, DTypeValue } from "@cl/core";
import type { DTypeName } from "../types/dtype-name.js";
import { exponential, halfEven, maxDigits } from "./half-even.js";

/** How numbers are written. */
export interface NumberFormat {
  /** Digits after the point at most. */
  readonly precision: number;
  /** Whether small numbers have no exponents. */
  readonly suppress: boolean;
  /** True for the only element of an array without axes, which is written whole and not padded. */
  readonly alone: boolean;
}

/** The text of each element. */
export function formatElements(values: readonly DTypeValue[], type: DTypeName, how: NumberFormat): readonly string[] {
  const { alone } = how;
  if (type === "bool") {
    const room = alone ? 0 : "False".length;
    return values.map((value) => (value === true ? "True" : "False").padStart(room));
  }
  if (type === "complex64" || type === "complex128") {
    const part = type === "complex64" ? "float32" : "float64";
    const re = formatFloats(
      values.map((value) => (value as Complex).re),
      part,
      how,
      false,
    );
    const im = formatFloats(
      values.map((value) => (value as Complex).im),
      part,
      how,
      true,
    );
    return re.map((text, i) => {
      const own = im[i] as string;
      const digits = own.trimEnd();
      return `${text}${digits}j${own.slice(digits.length)}`;
    });
  }
  if (type === "float16" || type === "float32" || type === "float64") {
    return formatFloats(values as readonly number[], type, how, false);
  }
  return padded(values.map(String), alone);
}

function padded(texts: readonly string[], alone: boolean): readonly string[] {
  const width = alone ? 0 : Math.max(...texts.map(({ length }) => length));
  return texts.map((text) => text.padStart(width));
}

type FloatName = "float16" | "float32" | "float64";

function formatFloats(
  values: readonly number[],
  type: FloatName,
  how: NumberFormat,
  signed: boolean,
): readonly string[] {
  const { alone, suppress } = how;
  const finite = values.filter((value) => Number.isFinite(value));
  const sizes = finite.filter((value) => value !== 0).map(Math.abs);
  const [most, least] = [Math.max(...sizes), Math.min(...sizes)];
  const small = !suppress || alone;
  const exponents = sizes.length > 0 && (most >= 1e8 || (small && (least < 1e-4 || (!alone && most / least > 1000))));
  const texts = exponents ? withExponents(finite, type, how) : withoutExponents(finite, type, how);
  const sign = (value: number, text: string): string =>
    signed && !text.startsWith("-") && !Number.isNaN(value) ? `+${text}` : text;
  let next = 0;
  const all = values.map((value) => {
    if (Number.isFinite(value)) return sign(value, texts[next++] as string);
    return signed && Number.isNaN(value) ? "+nan" : sign(value, special(value));
  });
  return padded(all, alone);
}

function special(value: number): string {
  if (Number.isNaN(value)) return "nan";
  return value < 0 ? "-inf" : "inf";
}

/** All with the same number of digits before and behind the point, where zeros at the end are left blank. */
function withoutExponents(
  values: readonly number[],
  type: FloatName,
  { alone, precision }: NumberFormat,
): readonly string[] {
  const digits = values.map((value) => {
    const text = shortest(value, type);
    const fixed =
      fractionLength(text) > precision && !alone
        ? halfEven(value.toFixed(maxDigits), value.toFixed(precision), precision)
        : text;
    const negativeZero = Object.is(value, -0) ? "-0" : fixed;
    const [whole = "", fraction = ""] = negativeZero.split(".");
    return { whole, fraction: fraction.replace(/0+$/, "") };
  });
  const width = Math.max(0, ...digits.map(({ fraction }) => fraction.length));
  if (alone) return digits.map(({ whole, fraction }) => `${whole}.${fraction === "" ? "0" : fraction}`);
  return digits.map(({ whole, fraction }) => `${whole}.${fraction.padEnd(width)}`);
}

/** Uses the number of digits of the longest element; shorter ones are extended by their own digits, not zeros. */
function withExponents(
  values: readonly number[],
  type: FloatName,
  { alone, precision }: NumberFormat,
): readonly string[] {
  const most = alone ? maxDigits : precision;
  const lengths = values.map((value) => {
    const [mantissa = ""] = Number(shortest(value, type)).toExponential().split("e");
    if (fractionLength(mantissa) <= most) return fractionLength(mantissa);
    return fractionLength((exponential(value, most).split("e")[0] as string).replace(/0+$/, ""));
  });
  const width = Math.max(0, ...lengths);
  const parts = values.map((value) => {
    const own = alone ? Number(shortest(value, type)) : value;
    const [mantissa = "", exponent = ""] = exponential(own, width).split("e");
    const [whole = "", fraction = ""] = mantissa.split(".");
    return { whole: Object.is(value, -0) ? "-0" : whole, fraction, exponent };
  });
  const power = Math.max(2, ...parts.map(({ exponent }) => exponent.length - 1));
  return parts.map(({ whole, fraction, exponent }) => {
    const point = alone && fraction === "" ? "" : ".";
    return `${whole}${point}${fraction}e${exponent.slice(0, 1)}${exponent.slice(1).padStart(power, "0")}`;
  });
}

/** The fewest decimal digits that are this number among those of its type, without an exponent. */
function shortest(value: number, type: FloatName): string {
  if (type === "float64") return plain(value);
  const most = type === "float32" ? 9 : 5;
  for (let digits = 1; digits < most; digits++) {
    const text = Number(exponential(value, digits - 1));
    if (rounded(text, type) === value) return plain(text);
  }
  return plain(Number(value.toPrecision(most)));
}

function rounded(value: number, type: FloatName): number {
  if (type === "float32") return Math.fround(value);
  // A half has 11 digits, and none is smaller than 2^-24.
  if (value === 0) return 0;
  const unit = 2 ** Math.max(Math.floor(Math.log2(Math.abs(value))) - 10, -24);
  const scaled = Math.abs(value) / unit;
  const down = Math.floor(scaled);
  const rest = scaled - down;
  const even = rest > 0.5 || (rest === 0.5 && down % 2 === 1) ? down + 1 : down;
  return Math.sign(value) * even * unit;
}

function plain(value: number): string {
  const text = String(value);
  if (!text.includes("e")) return text;
  const [mantissa = "", power = "0"] = text.split("e");
  if (Number(power) > 0) return BigInt(value).toString();
  const digits = mantissa.replace(/[-.]/g, "");
  return `${value < 0 ? "-" : ""}0.${"0".repeat(-Number(power) - 1)}${digits}`;
}

function fractionLength(text: string): number {
  return text.split(".")[1]?.length ?? 0;
}
