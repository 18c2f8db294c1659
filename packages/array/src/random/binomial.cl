// The number of successes in a number of trials, by the ways of poisson.cl. Depends on real-numbers.cl and
// random-attempt.cl.
//   MAX_ATTEMPTS: more attempts than a rejection takes

typedef struct {
  double n, chance, p, odds, none, a, b, center, alpha, mode, log_mode, log_odds;
} Law;

Law law_of(const double trials, const double chance) {
  Law law = {floor(trials), chance, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  if (!(trials >= 1 && chance > 0 && chance < 1)) return law;
  const double n = law.n;
  const double p = law.p = chance > 0.5 ? 1 - chance : chance;
  law.odds = p / (1 - p);
  if (n * p < 10) {
    law.none = exp(n * log1p(-p));
    return law;
  }
  const double deviation = sqrt(n * p * (1 - p));
  law.b = 1.15 + 2.53 * deviation;
  law.a = -0.0873 + 0.0248 * law.b + 0.01 * p;
  law.center = n * p + 0.5;
  law.alpha = (2.83 + 5.1 / law.b) * deviation;
  law.mode = floor((n + 1) * p);
  law.log_mode = log_factorial(law.mode) + log_factorial(n - law.mode);
  law.log_odds = log_of(law.odds);
  return law;
}

double binomial(const Stream* const by, const ulong block, const uint* const ready, const Law* const law) {
  const double n = law->n, p = law->p;
  if (!(n >= 0 && law->chance >= 0 && law->chance <= 1) || isinf(n)) return NAN;
  if (n < 1 || law->chance == 0) return 0;
  if (law->chance == 1) return n;
  double k = 0;
  if (n * p < 10) {
    const uint4 words = random_attempt(by, block, 0, ready);
    double rest = between(words.x, words.y);
    double probability = law->none;
    while (rest > probability && k < n && k < 200) {
      rest -= probability;
      k += 1;
      probability *= law->odds * (n - k + 1) / k;
    }
    return law->chance > 0.5 ? n - k : k;
  }
  for (uint attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const uint4 words = random_attempt(by, block, attempt, ready);
    const double u = between(words.x, words.y) - 0.5;
    const double v = between(words.z, words.w);
    const double side = 0.5 - fabs(u);
    k = floor((2 * law->a / side + law->b) * u + law->center);
    if (k < 0 || k > n) continue;
    if (side >= 0.07 && v <= 0.92 - 4.2 / law->b) break;
    const double ratio = law->log_mode - log_factorial(k) - log_factorial(n - k) + (k - law->mode) * law->log_odds;
    if (log_of(v * law->alpha / (law->a / (side * side) + law->b)) <= ratio) break;
    k = law->mode;
  }
  return law->chance > 0.5 ? n - k : k;
}
