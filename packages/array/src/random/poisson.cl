// Poisson numbers: small means by adding up probabilities, others by Hörmann's transformed rejection. Depends on
// real-numbers.cl and random-attempt.cl.
//   MAX_ATTEMPTS: more attempts than a rejection takes

typedef struct {
  double mean, none, a, b, inverse, accepted, log_mean;
} Law;

Law law_of(const double mean, const double unused) {
  Law law = {mean, 0, 0, 0, 0, 0, 0};
  if (mean < 10) {
    law.none = exp(-mean);
    return law;
  }
  law.b = 0.931 + 2.53 * sqrt(mean);
  law.a = -0.059 + 0.02483 * law.b;
  law.inverse = 1.1239 + 1.1328 / (law.b - 3.4);
  law.accepted = 0.9277 - 3.6224 / (law.b - 2);
  law.log_mean = log_of(mean);
  return law;
}

double poisson(const Stream* const by, const ulong block, const uint* const ready, const Law* const law) {
  const double mean = law->mean;
  if (!(mean > 0)) return mean == 0 ? 0 : NAN;
  if (isinf(mean)) return mean;
  if (mean < 10) {
    const uint4 words = random_attempt(by, block, 0, ready);
    double rest = between(words.x, words.y);
    double probability = law->none;
    double k = 0;
    while (rest > probability && k < 200) {
      rest -= probability;
      k += 1;
      probability *= mean / k;
    }
    return k;
  }
  for (uint attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const uint4 words = random_attempt(by, block, attempt, ready);
    const double u = between(words.x, words.y) - 0.5;
    const double v = between(words.z, words.w);
    const double side = 0.5 - fabs(u);
    const double k = floor((2 * law->a / side + law->b) * u + mean + 0.43);
    if (side >= 0.07 && v <= law->accepted) return k;
    if (k < 0 || (side < 0.013 && v > side)) continue;
    const double ratio = k * law->log_mean - mean - log_factorial(k);
    if (log_of(v * law->inverse / (law->a / (side * side) + law->b)) <= ratio) return k;
  }
  return floor(mean);
}
