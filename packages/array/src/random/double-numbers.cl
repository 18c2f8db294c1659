// Numbers of type double from the words of a block, one for each two words. Depends on lanes.cl; exponential and normal
// numbers on double-logarithm.cl, normal ones on double-circle.cl, too.
//   OF(name): the type or function of the current number of lanes
//   IS_UNIT, IS_UNIFORM, IS_EXPONENTIAL: the distribution; otherwise it is the normal one

#define NUMBERS \
  void OF(numbers)(const UINT a, const UINT b, const UINT c, const UINT d, const double p, const double q, \
                   const double r, DOUBLE* const v0, DOUBLE* const v1)

// 53 bits of two words, as a number.
DOUBLE OF(fraction)(const UINT low, const UINT high) {
  // The exponent of 2^52 stands before 52 bits; the last one is added.
  const ULONG word = OF(convert_ulong)(low) | OF(convert_ulong)(high) << 32;
  const DOUBLE most = OF(as_double)((word >> 12) | 0x4330000000000000UL) - 0x1p52;
  return most * 2 + OF(convert_double)(OF(as_int)((low >> 11) & 1));
}

#if IS_UNIT
NUMBERS {
  *v0 = OF(fraction)(a, b) * 0x1p-53;
  *v1 = OF(fraction)(c, d) * 0x1p-53;
}
#elif IS_UNIFORM
// Rounding may reach the exclusive upper bound; r is the largest number below it.
NUMBERS {
  *v0 = min(p + OF(fraction)(a, b) * 0x1p-53 * q, (DOUBLE)(r));
  *v1 = min(p + OF(fraction)(c, d) * 0x1p-53 * q, (DOUBLE)(r));
}
#else
// The logarithm of (53 bits + 1/2) / 2^53.
DOUBLE OF(logarithm)(const UINT low, const UINT high) { return OF(log_of)((OF(fraction)(low, high) + 0.5) * 0x1p-53); }

#if IS_EXPONENTIAL
NUMBERS {
  *v0 = OF(logarithm)(a, b) * -q;
  *v1 = OF(logarithm)(c, d) * -q;
}
#else
// By Box and Muller.
NUMBERS {
  const DOUBLE radius = q * sqrt(-2 * OF(logarithm)(a, b));
  DOUBLE sine, cosine;
  OF(circle)(c, d, &sine, &cosine);
  *v0 = p + radius * cosine;
  *v1 = p + radius * sine;
}
#endif
#endif
