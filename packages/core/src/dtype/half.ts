/** Conversion of half-precision numbers to and from their bits, for JavaScript engines without Float16Array. */

const float32 = new Float32Array(1);
const bits = new Uint32Array(float32.buffer);

/** Returns the 16 bits of the half nearest to a number, ties to even. */
export function getFloat16Bits(value: number): number {
  // Rounding to single precision first would round twice. Scaling in double precision is exact for halves.
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const magnitude = Math.abs(value);
  if (Number.isNaN(value)) return 0x7e00;
  if (magnitude >= 65520) return sign | 0x7c00;
  if (magnitude < 2 ** -14) return sign | roundToEven(magnitude * 2 ** 24);
  float32[0] = magnitude;
  const exponent = Math.max(((bits[0] as number) >>> 23) - 127, -14);
  const power = magnitude < 2 ** exponent ? exponent - 1 : exponent;
  // A mantissa that rounds up to 2048 carries into the exponent.
  return sign | (((power + 14) << 10) + roundToEven(magnitude * 2 ** (10 - power)));
}

function roundToEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest > 0.5 || (rest === 0.5 && floor % 2 === 1)) return floor + 1;
  return floor;
}

/** Returns the exact value of the 16 bits of a half. */
export function numberOfFloat16Bits(half: number): number {
  const sign = (half & 0x8000) === 0 ? 1 : -1;
  const exponent = (half >> 10) & 0x1f;
  const mantissa = half & 0x3ff;
  if (exponent === 0x1f) return mantissa === 0 ? sign * Infinity : NaN;
  return exponent === 0 ? sign * mantissa * 2 ** -24 : sign * (1024 + mantissa) * 2 ** (exponent - 25);
}
