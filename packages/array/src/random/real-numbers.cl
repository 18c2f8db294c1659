// Functions of distributions that are computed in float64. Depends on double-logarithm.cl.

// 53 bits of two words, in the middle of their interval: neither 0 nor 1.
double between(const uint low, const uint high) { return ((double)(((ulong)high << 32 | low) >> 11) + 0.5) * 0x1p-53; }

// The logarithm of k!, by Stirling's series.
double log_factorial(const double k) {
  double x = k + 1;
  double product = 1;
  for (; x < 8; x += 1) product *= x;
  const double z = 1 / (x * x);
  const double series =
      (0.08333333333333333 - z * (0.002777777777777778 - z * (0.0007936507936507937 - z * 0.0005952380952380953))) / x;
  return (x - 0.5) * log_of(x) - x + 0.9189385332046727 + series - log_of(product);
}
