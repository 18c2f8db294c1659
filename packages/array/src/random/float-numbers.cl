// Floating-point numbers from the words of a block, one for each word. Depends on lanes.cl.
//   OF(name): the type or function of the current number of lanes
//   SHIFT, UNIT: how many bits of a word are left out, and the unit of the others
//   IS_UNIT, IS_UNIFORM, IS_EXPONENTIAL: the distribution; otherwise it is the normal one

#define FRACTION(word) (OF(convert_float)(OF(as_int)(word >> SHIFT)) * UNIT)
#define NUMBERS \
  void OF(numbers)(const UINT a, const UINT b, const UINT c, const UINT d, const float p, const float q, \
                   const float r, FLOAT* const v0, FLOAT* const v1, FLOAT* const v2, FLOAT* const v3)

#if IS_UNIT
NUMBERS {
  *v0 = FRACTION(a);
  *v1 = FRACTION(b);
  *v2 = FRACTION(c);
  *v3 = FRACTION(d);
}
#elif IS_UNIFORM
// Rounding may reach the exclusive upper bound; r is the largest number below it.
NUMBERS {
  *v0 = min(p + FRACTION(a) * q, (FLOAT)(r));
  *v1 = min(p + FRACTION(b) * q, (FLOAT)(r));
  *v2 = min(p + FRACTION(c) * q, (FLOAT)(r));
  *v3 = min(p + FRACTION(d) * q, (FLOAT)(r));
}
#else
// The logarithm of (word + 1/2) / 2^32.
FLOAT OF(logarithm)(const UINT word) {
  const FLOAT u = (OF(convert_float)(word) + 0.5f) * 0x1p-32f;
  // A power of 2, and a number from sqrt(1/2) to sqrt(2).
  const INT exponent = (OF(as_int)(u) - 0x3f3504f3) >> 23;
  const FLOAT x = OF(as_float)(OF(as_int)(u) - (exponent << 23)) - 1;
  const FLOAT z = x * x;
  const FLOAT low = 0.3333333073f + x * (-0.2500030642f + x * (0.2000104509f + x * -0.1664128146f));
  const FLOAT high = 0.1421449592f + x * (-0.1299818376f + x * (0.1262231985f + x * -0.07902743772f));
  return OF(convert_float)(exponent) * 0.693147181f + (x + z * (-0.5f + x * (low + z * z * high)));
}

#if IS_EXPONENTIAL
NUMBERS {
  *v0 = OF(logarithm)(a) * -q;
  *v1 = OF(logarithm)(b) * -q;
  *v2 = OF(logarithm)(c) * -q;
  *v3 = OF(logarithm)(d) * -q;
}
#else
// The sine and cosine of 2^-32 turns.
void OF(circle)(const UINT word, FLOAT* const sine, FLOAT* const cosine) {
  // The nearest quarter, and how many eighths of a turn it is away, from -1 to 1.
  const UINT quarter = (word + 0x20000000u) >> 30;
  const FLOAT x = OF(convert_float)(OF(as_int)(word - (quarter << 30))) * 0x1p-29f;
  const FLOAT z = x * x;
  const FLOAT s = x * (0.785398161f + z * (-0.08074543471f + z * (0.002490006801f + z * -3.595429073e-5f)));
  const FLOAT c = 1 + z * (-0.3084251373f + z * (0.01585433815f + z * (-0.0003259613803f + z * 3.541952728e-6f)));
  const INT swapped = OF(as_int)(quarter << 31);
  const UINT signs = (quarter & 2) << 30;
  const FLOAT first = swapped < 0 ? c : s;
  const FLOAT second = swapped < 0 ? s : c;
  *sine = OF(as_float)(OF(as_uint)(first) ^ signs);
  *cosine = OF(as_float)(OF(as_uint)(second) ^ signs ^ (quarter << 31));
}

// By Box and Muller.
void OF(pair)(const UINT a, const UINT b, const float p, const float q, FLOAT* const one, FLOAT* const other) {
  const FLOAT radius = q * sqrt(-2 * OF(logarithm)(a));
  FLOAT sine, cosine;
  OF(circle)(b, &sine, &cosine);
  *one = p + radius * cosine;
  *other = p + radius * sine;
}

NUMBERS {
  OF(pair)(a, b, p, q, v0, v1);
  OF(pair)(c, d, p, q, v2, v3);
}
#endif
#endif
