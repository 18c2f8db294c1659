/** Elements as text of one width, as NumPy writes them: the fewest digits that tell neighbours apart, at most 8 of a fraction. */
import type { Complex, DTypeValue } from "@cl/core";
import type { DTypeName } from "../types/dtype-name.js";

const mostDigits = 8;

/** The text of each element. One that is alone, without axes, is not padded. */
export function formatElements(values: readonly DTypeValue[], type: DTypeName, alone: boolean): readonly string[] {
  if (type === "bool") {
    const words = values.map((value) => (value === true ? "True" : "False"));
    return padded(words, alone);
  }
  if (type === "complex64" || type === "complex128") {
    const part = type === "complex64" ? "float32" : "float64";
    const re = formatFloats(
      values.map((value) => (value as Complex).re),
      part,
      alone,
      false,
    );
    const im = formatFloats(
      values.map((value) => (value as Complex).im),
      part,
      alone,
      true,
    );
    return re.map((text, i) => {
      const own = im[i] as string;
      const digits = own.trimEnd();
      return `${text}${digits}j${own.slice(digits.length)}`;
    });
  }
  if (type === "float16" || type === "float32" || type === "float64") {
    return formatFloats(values as readonly number[], type, alone, false);
  }
  return padded(values.map(String), alone);
}

function padded(texts: readonly string[], alone: boolean): readonly string[] {
  const width = alone ? 0 : Math.max(...texts.map(({ length }) => length));
  return texts.map((text) => text.padStart(width));
}

type FloatName = "float16" | "float32" | "float64";

function formatFloats(values: readonly number[], type: FloatName, alone: boolean, signed: boolean): readonly string[] {
  const finite = values.filter((value) => Number.isFinite(value));
  const sizes = finite.filter((value) => value !== 0).map(Math.abs);
  const [most, least] = [Math.max(...sizes), Math.min(...sizes)];
  const exponents = sizes.length > 0 && (most >= 1e8 || least < 1e-4 || (!alone && most / least > 1000));
  const texts = exponents ? withExponents(finite, type) : withoutExponents(finite, type, alone);
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
function withoutExponents(values: readonly number[], type: FloatName, alone: boolean): readonly string[] {
  const digits = values.map((value) => {
    const text = shortest(value, type);
    const fixed = fractionLength(text) > mostDigits && !alone ? value.toFixed(mostDigits) : text;
    const negativeZero = Object.is(value, -0) ? "-0" : fixed;
    const [whole = "", fraction = ""] = negativeZero.split(".");
    return { whole, fraction: fraction.replace(/0+$/, "") };
  });
  const width = Math.max(0, ...digits.map(({ fraction }) => fraction.length));
  if (alone) return digits.map(({ whole, fraction }) => `${whole}.${fraction === "" ? "0" : fraction}`);
  return digits.map(({ whole, fraction }) => `${whole}.${fraction.padEnd(width)}`);
}

function withExponents(values: readonly number[], type: FloatName): readonly string[] {
  const parts = values.map((value) => {
    const short = Number(shortest(value, type)).toExponential();
    const [mantissa = "", exponent = ""] = (
      (short.split("e")[0] as string).length > mostDigits + 3 ? value.toExponential(mostDigits) : short
    ).split("e");
    const [whole = "", fraction = ""] = mantissa.split(".");
    return { whole: Object.is(value, -0) ? "-0" : whole, fraction: fraction.replace(/0+$/, ""), exponent };
  });
  const width = Math.max(0, ...parts.map(({ fraction }) => fraction.length));
  const power = Math.max(2, ...parts.map(({ exponent }) => exponent.length - 1));
  return parts.map(({ whole, fraction, exponent }) => {
    return `${whole}.${fraction.padEnd(width, "0")}e${exponent.slice(0, 1)}${exponent.slice(1).padStart(power, "0")}`;
  });
}

/** The fewest decimal digits that are this number among those of its type, without an exponent. */
function shortest(value: number, type: FloatName): string {
  if (type === "float64") return plain(value);
  const most = type === "float32" ? 9 : 5;
  for (let digits = 1; digits < most; digits++) {
    const text = Number(value.toPrecision(digits));
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
  const [, power = "0"] = text.split("e");
  return Number(power) < 0 ? value.toFixed(Math.min(100, 20 - Number(power))) : BigInt(value).toString();
}

function fractionLength(text: string): number {
  return text.split(".")[1]?.length ?? 0;
}
