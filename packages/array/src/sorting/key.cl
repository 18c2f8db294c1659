// Elements as unsigned integer keys of the same order. Only the elements' original bits are moved, so -0 and NaN
// payloads are preserved; keys are computed for each comparison. So no kernel computes with double or half.
//   ITEM, KEY: the types that an element is moved as, and of keys
//   DIGITS, KEY_WORDS: digits of 8 bits of a key, and words of 64 bits
//   TURNED: ~ for descending order, or nothing
//   IS_FLOATING, IS_COMPLEX: whether elements are floating-point numbers, and whether they are complex
//   KEY_OF: the key of an element that is neither
//   BITS, SIGNED_BITS: the types of a real part's bits, and SIGNED(bits): these with the sign in the highest bit
//   ALL, MIDDLE, INFINITE: the bits that are all set, those of the middle of all keys, and those of infinity
//   JOINED: the key of two parts

typedef ITEM item_t;
typedef KEY key_t;

#if KEY_WORDS == 2
/* The key that no element comes behind. */
#define LAST_KEY ((ulong2)(-1))
bool is_less(const key_t a, const key_t b) { return a.x < b.x || (a.x == b.x && a.y < b.y); }
bool is_same(const key_t a, const key_t b) { return a.x == b.x && a.y == b.y; }
uint digit_of(const key_t key, const int digit) {
  return (uint)((digit < 8 ? key.y : key.x) >> (ulong)(8 * (digit & 7))) & 255u;
}
ulong word_of(const key_t key, const int word) { return word == 0 ? key.y : key.x; }
#else
#define LAST_KEY ((key_t) - 1)
bool is_less(const key_t a, const key_t b) { return a < b; }
bool is_same(const key_t a, const key_t b) { return a == b; }
uint digit_of(const key_t key, const int digit) { return (uint)(key >> (KEY)(8 * digit)) & 255u; }
ulong word_of(const key_t key, const int word) { return key; }
#endif

#if IS_FLOATING
/*
 * IEEE numbers are ordered by sign and magnitude, which is added to the middle or taken from it: so both zeros have one
 * key. Every NaN has the last one, which leaves room between it and infinity. There are no branches, which would be
 * guessed wrong.
 */
BITS real_key(const BITS bits) {
  const BITS magnitude = bits & (ALL ^ MIDDLE);
  // All ones for negative numbers.
  const BITS sign = (BITS)((SIGNED_BITS)SIGNED(bits) >> (8 * sizeof(BITS) - 1));
  const BITS key = MIDDLE + ((magnitude ^ sign) - sign);
  return magnitude > INFINITE ? ALL : TURNED key & ALL;
}
#endif

#if IS_COMPLEX
/*
 * By the real part, then by the imaginary one. Behind all of them come those with NaN in the imaginary part, ordered by
 * the real one, then those with NaN in the real part, ordered by the imaginary one, and then those with two, as in
 * NumPy.
 */
key_t key_of(const item_t item) {
  const BITS re = real_key(item.x);
  const BITS im = real_key(item.y);
  if (re != ALL && im != ALL) return JOINED(re, im);
  if (re != ALL) return JOINED(ALL - 2, re);
  return im != ALL ? JOINED(ALL - 1, im) : JOINED(ALL, ALL);
}
#elif IS_FLOATING
key_t key_of(const item_t item) { return real_key(item); }
#else
key_t key_of(const item_t item) { return KEY_OF(item); }
#endif
