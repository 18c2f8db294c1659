// The functions of real-numbers.cl for eight numbers. Depends on double-logarithm.cl.

double8 between8(const uint8 low, const uint8 high) {
  const ulong8 word = convert_ulong8(high) << 32 | convert_ulong8(low);
  return (convert_double8(word >> 11) + 0.5) * 0x1p-53;
}

double8 log_factorial8(const double8 k) {
  double8 x = k + 1, product = 1;
  for (long8 small = x < 8; any(small); small = x < 8) {
    product = select(product, product * x, small);
    x = select(x, x + 1, small);
  }
  const double8 z = 1 / (x * x);
  const double8 series =
      (0.08333333333333333 - z * (0.002777777777777778 - z * (0.0007936507936507937 - z * 0.0005952380952380953))) / x;
  return (x - 0.5) * log_of8(x) - x + 0.9189385332046727 + series - log_of8(product);
}
