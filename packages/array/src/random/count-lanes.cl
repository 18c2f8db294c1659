// First attempts of eight Poisson or binomial numbers, by the same operations as single ones, so that the numbers are
// the same. Depends on poisson.cl or binomial.cl, and on real-lanes.cl.
//   IS_POISSON: whether the numbers are Poisson numbers

#if IS_POISSON
#define HAS_LAW (mean > 0)
#define IS_SMALL (mean < 10)
#define IS_LESS(k) (k < 200)
#define FACTOR (mean / k)
#define CENTER (mean + 0.43)
#define CLAMPED(number) max(number, (double8)(0))
#define RATIO (k * law->log_mean - mean - log_factorial8(k))
#define ACCEPTED law->accepted
#define INVERSE law->inverse
#define IS_POSSIBLE (squeezed || !(side < 0.013 && v > side))
#define RESULT(number) (number)
#else
#define HAS_LAW (n >= 1 && law->chance > 0 && law->chance < 1)
#define IS_SMALL (n * p < 10)
#define IS_LESS(k) (k < n && k < 200)
#define FACTOR (law->odds * (n - k + 1) / k)
#define CENTER law->center
#define CLAMPED(number) min(max(number, (double8)(0)), (double8)(n))
#define RATIO (law->log_mode - log_factorial8(k) - log_factorial8(n - k) + (k - law->mode) * law->log_odds)
#define ACCEPTED (0.92 - 4.2 / law->b)
#define INVERSE law->alpha
#define IS_POSSIBLE (long8)(-1)
#define RESULT(number) (law->chance > 0.5 ? n - (number) : (number))
#endif

// The numbers whose first attempts succeed, and -1 for others.
double8 try_lanes(const uint8* const ready, const Law* const law) {
#if IS_POISSON
  const double mean = law->mean;
#else
  const double n = law->n, p = law->p;
#endif
  if (!HAS_LAW) return -1;
  if (IS_SMALL) {
    // All lanes take the same steps, until the last of them has its number.
    double8 rest = between8(ready[0], ready[1]), found = 0;
    double probability = law->none, k = 0;
    long8 active = -1;
    while (IS_LESS(k)) {
      active &= rest > probability;
      if (!any(active)) break;
      rest = select(rest, rest - probability, active);
      k += 1;
      found = select(found, (double8)(k), active);
      probability *= FACTOR;
    }
    return RESULT(found);
  }
  // What is not between the least and the most is computed with as if it were.
  const double8 u = between8(ready[0], ready[1]) - 0.5, v = between8(ready[2], ready[3]);
  const double8 side = 0.5 - fabs(u);
  const double8 number = floor((2 * law->a / side + law->b) * u + CENTER);
  const double8 k = CLAMPED(number);
  const double8 ratio = RATIO;
  const long8 squeezed = side >= 0.07 && v <= ACCEPTED;
  const long8 slow = log_of8(v * INVERSE / (law->a / (side * side) + law->b)) <= ratio;
  const long8 good = k == number && (squeezed || slow) && IS_POSSIBLE;
  return select((double8)(-1), RESULT(k), good);
}
