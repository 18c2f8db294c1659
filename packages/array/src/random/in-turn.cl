// Two vectors, one element of each at a time.
//   LANES, PAIRS: the types of these vectors, and of one that is twice as long

PAIRS in_turn(const LANES a, const LANES b) {
  return (PAIRS)(a.s0, b.s0, a.s1, b.s1, a.s2, b.s2, a.s3, b.s3, a.s4, b.s4, a.s5, b.s5, a.s6, b.s6, a.s7, b.s7);
}
