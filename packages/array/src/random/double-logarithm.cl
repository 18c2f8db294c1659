// The logarithm of a number that is neither 0 nor subnormal. Depends on lanes.cl.
//   OF(name): the type or function of the current number of lanes

DOUBLE OF(log_of)(const DOUBLE u) {
  // A power of 2, and a number from sqrt(1/2) to sqrt(2), which is (1 + s) / (1 - s).
  const ULONG moved = OF(as_ulong)(u) - 0x3fe6a09e667f3bcdUL;
  const INT exponent = OF(as_int)(OF(convert_uint)(moved >> 32)) >> 20;
  const DOUBLE x = OF(as_double)(OF(as_ulong)(u) - (OF(convert_ulong)(OF(as_uint)(exponent)) << 52)) - 1;
  const DOUBLE s = x / (2 + x);
  const DOUBLE z = s * s;
  const DOUBLE series =
      0.6666666666666669688 +
      z * (0.399999999998994473 +
           z * (0.2857142862600142557 +
                z * (0.2222221113056072644 +
                     z * (0.1818288943375751642 + z * (0.1533171134667299597 + z * 0.1461657642164438607)))));
  return OF(convert_double)(exponent) * 0.693147180559945309 + (2 * s + s * z * series);
}
