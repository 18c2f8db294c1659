// Functions of integers with a sign. The lowest one divided by -1 would overflow, which some processors take for an
// error. Separated by empty lines; functionsOf takes them apart.
//   T, U: the type, and the unsigned type of the same size
//   P: the unsigned type for arithmetic: shorter ones would be promoted to int, which must not overflow

U magnitude_T(const T a) { return (U)(a < 0 ? 0 - (P)a : (P)a); }

T remainder_T(const T a, const T b) {
  if (b == 0 || b == -1) return 0;
  const T rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

T fmod_T(const T a, const T b) { return b == 0 || b == -1 ? 0 : a % b; }

T floor_divide_T(const T a, const T b) {
  if (b == 0) return 0;
  if (b == -1) return (T)(0 - (P)a);
  const T quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}
