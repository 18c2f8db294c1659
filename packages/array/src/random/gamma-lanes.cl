// First attempts of eight gamma numbers, by the same operations as single ones, so that the numbers are the same.
// Depends on gamma.cl, real-lanes.cl and double-circle.cl.

// The numbers whose first attempts succeed, and -1 for others.
double8 try_lanes(const uint8* const ready, const Law* const law) {
  if (!(law->shape >= 1)) return -1;
  double8 sine, cosine;
  circle8(ready[2], ready[3], &sine, &cosine);
  const double8 x = sqrt(-2 * log_of8(between8(ready[0], ready[1]))) * cosine;
  const double8 root = 1 + law->c * x;
  const double8 v = root * root * root;
  const double8 most = 0.5 * x * x + law->d * (1 - v + log_of8(v));
  const long8 failed = root <= 0 || log_of8(between8(ready[4], ready[5])) >= most;
  return select(law->d * v * law->scale, (double8)(-1), failed);
}
