// Gamma numbers or their logarithms, by Marsaglia and Tsang: a cube of a normal number. Shapes below 1 are those above
// 1 times a power of one more number. Logarithms neither underflow nor lose digits for shapes close to 0. Depends on
// real-numbers.cl, double-circle.cl and random-attempt.cl.
//   IS_LOG: whether logarithms are drawn
//   GAMMA: the name of the function
//   MAX_ATTEMPTS: more attempts than a rejection takes

typedef struct {
  double shape, scale, c, d;
} Law;

Law law_of(const double shape, const double scale) {
  Law law = {shape, scale, 0, (shape < 1 ? shape + 1 : shape) - 0.3333333333333333};
  law.c = 1 / sqrt(9 * law.d);
  return law;
}

double GAMMA(const Stream* const by, const ulong block, const uint* const ready, const Law* const law) {
  const double d = law->d;
  if (!(law->shape > 0 && law->scale >= 0)) {
    return law->shape == 0 && law->scale >= 0 ? (IS_LOG ? -INFINITY : 0) : NAN;
  }
  double result = IS_LOG ? log_of(d) : d;
  for (uint attempt = 0; attempt < MAX_ATTEMPTS; attempt += 2) {
    const uint4 words = random_attempt(by, block, attempt, ready);
    double sine, cosine;
    circle(words.z, words.w, &sine, &cosine);
    const double x = sqrt(-2 * log_of(between(words.x, words.y))) * cosine;
    const double root = 1 + law->c * x;
    if (root <= 0) continue;
    const double v = root * root * root;
    const uint4 others = random_attempt(by, block, attempt + 1, ready);
    if (log_of(between(others.x, others.y)) >= 0.5 * x * x + d * (1 - v + log_of(v))) continue;
    result = IS_LOG ? log_of(d * v) : d * v;
    if (law->shape < 1) {
      const double power = log_of(between(others.z, others.w)) / law->shape;
      result = IS_LOG ? result + power : result * exp(power);
    }
    break;
  }
  return IS_LOG ? result + log(law->scale) : result * law->scale;
}
