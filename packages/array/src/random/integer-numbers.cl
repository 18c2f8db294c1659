// Integers from the words of a block: the words themselves, or integers of a range from `p` of the length `q`. Depends
// on lanes.cl.
//   OF(name): the type or function of the current number of lanes
//   ONE_IF(condition): 1 in the lanes where a comparison of ulong is true
//   IS_WORDS, IS_SHORT: whether results are words, or ranges are up to 2^32; otherwise up to 2^64

#if IS_WORDS
void OF(numbers)(const UINT a, const UINT b, const UINT c, const UINT d, const ulong p, const ulong q, const ulong r,
                 UINT* const v0, UINT* const v1, UINT* const v2, UINT* const v3) {
  *v0 = a;
  *v1 = b;
  *v2 = c;
  *v3 = d;
}
#elif IS_SHORT
// The integer part of the range (q, up to 2^32) times a fraction of 64 bits.
ULONG OF(in_range)(const UINT low, const UINT high, const ulong q) {
  const ULONG lower = OF(convert_ulong)(low) * q;
  const ULONG upper = OF(convert_ulong)(high) * q;
  // The sum is less than 2^64: the first factor is at most 2^32 - 1.
  return (upper + (lower >> 32)) >> 32;
}

void OF(numbers)(const UINT a, const UINT b, const UINT c, const UINT d, const ulong p, const ulong q, const ulong r,
                 ULONG* const v0, ULONG* const v1) {
  *v0 = p + OF(in_range)(a, b, q);
  *v1 = p + OF(in_range)(c, d, q);
}
#else
// The integer part of the range (q, or 2^64 for 0) times a fraction of 128 bits.
void OF(numbers)(const UINT a, const UINT b, const UINT c, const UINT d, const ulong p, const ulong q, const ulong r,
                 ULONG* const v0) {
  const ULONG low = OF(convert_ulong)(a) | OF(convert_ulong)(b) << 32;
  const ULONG high = OF(convert_ulong)(c) | OF(convert_ulong)(d) << 32;
  const ULONG lower = mul_hi(low, (ULONG)(q));
  const ULONG middle = high * q;
  const ULONG sum = middle + lower;
  const ULONG carry = ONE_IF(sum < middle);
  *v0 = p + (q == 0 ? high : mul_hi(high, (ULONG)(q)) + carry);
}
#endif
