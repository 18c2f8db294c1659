// A complex number, or as many as `V` has lanes.
//   V: the type of a real or imaginary part

typedef struct {
  V re;
  V im;
} Pair;
