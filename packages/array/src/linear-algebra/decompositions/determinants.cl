// The product of diagonals, as a mantissa and an exponent so that nothing overflows on the way: as one number, or as
// its sign and the logarithm of its size.
__kernel void determinants(__global T* const results, __global R* const logarithms, __global const T* const memory,
                           __global const int* const pivots, const Place at, const int size, const int count,
                           const int apart) {
  const long matrix = get_global_id(0);
  if (matrix >= count) return;
  __global const T* const a = memory + at.offset + matrix * at.matrix;
  __global const int* const own = pivots + matrix * size;
  T product = of_parts((R)1, (R)0);
  long exponent = 0;
  for (int i = 0; i < size; i++) {
    int power;
    T next = a[i * (at.row + at.column)];
    const R large = fmax(fabs(real_of(next)), fabs(imaginary_of(next)));
    if (large > 0 && isfinite(large)) {
      frexp(large, &power);
      exponent += power;
      next = of_parts(ldexp(real_of(next), -power), ldexp(imaginary_of(next), -power));
    }
    product = multiply(product, next);
    if (own[i] != i) product = -product;
    const R whole = fmax(fabs(real_of(product)), fabs(imaginary_of(product)));
    if (whole > 0 && isfinite(whole)) {
      frexp(whole, &power);
      exponent += power;
      product = of_parts(ldexp(real_of(product), -power), ldexp(imaginary_of(product), -power));
    }
  }
  /* Zero has no sign. */
  if (is_zero(product)) product = of_parts((R)0, (R)0);
  if (apart) {
    const R length = sqrt(square_of(product));
    logarithms[matrix] = log(length) + (R)exponent * (R)0.693147180559945309417232;
    results[matrix] = length > 0 ? of_parts(real_of(product) / length, imaginary_of(product) / length) : product;
  } else {
    const int last = (int)clamp(exponent, -30000L, 30000L);
    results[matrix] = of_parts(ldexp(real_of(product), last), ldexp(imaginary_of(product), last));
  }
}
