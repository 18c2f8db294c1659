// Writes something for each index, by whether a predicate is true there: each work-item has a chunk of the indices.
//   count_t_: the type of positions
//   PARAMETERS_, TARGETS_: the declarations of the predicate's parameters, and of those for what is written
//   IS_TRUE_(n): whether the predicate is true at an index
//   ITEM_: the statement that loads the variable `item`, or nothing
//   KEPT_, OTHER_, HAS_OTHER_: the statements for index `n`, before which it is true `at` times: where it is true, and
//     where it is not, if that has statements
//   STRIP_: the number of indices whose truths are computed together, or 0 if a later index may not overwrite an
//   earlier KEEPS_OTHERS_: whether others are written in the same way SQUEEZES_: whether processors with AVX-512 can
//   move what is kept of a vector to its front VECTOR_, LANES_, WORD_, COMPRESS_, VLOAD_: the vectors, and their
//   instructions ITEMS_: the memory of the elements PUT_KEPT_, PUT_OTHERS_(found, bits, n, at): the statements that
//   store what is kept of a vector, and the others

__kernel void write_true_(PARAMETERS_, __global const count_t_* const offsets_, const count_t_ part_,
                          const count_t_ limit_ TARGETS_) {
  const int part = (int)get_global_id(0);
  const count_t_ start = part * part_;
  const count_t_ end = min((count_t_)(start + part_), places_.size);
  const count_t_ stop = min(offsets_[part + 1], limit_);
  count_t_ at = offsets_[part];
  count_t_ n_ = start;
#if STRIP_
  // The truths of a strip are computed first, as vectors. Then without branches each goes where the next one that is
  // kept belongs, and the next overwrites it if it is not. This must not reach into the next chunk's share, so the last
  // strips are written with branches.
  const count_t_ others_stop = end - offsets_[part + 1];
  uchar truths[STRIP_] __attribute__((aligned(64)));
  for (; n_ + STRIP_ <= end && at + STRIP_ <= stop && (!KEEPS_OTHERS_ || n_ + STRIP_ - at <= others_stop);
       n_ += STRIP_) {
    _Pragma("clang loop vectorize(assume_safety)") for (int k = 0; k < STRIP_; k++) {
      truths[k] = (uchar)IS_TRUE_(n_ + k);
    }
#if SQUEEZES_ && defined(__AVX512F__) && defined(__has_builtin)
#if __has_builtin(COMPRESS_)
#define IS_SQUEEZED_
#endif
#endif
#ifdef IS_SQUEEZED_
    __global const WORD_* const items = (__global const WORD_*)(ITEMS_) + n_;
    for (int k = 0; k < STRIP_; k += 16) {
      const uint bits = (ushort)__builtin_ia32_pmovmskb128(vload16(0, truths + k) != (uchar16)0);
      for (int first = 0; first < 16; first += LANES_) {
        const count_t_ n = n_ + k + first;
        const uint own = bits >> first & ((1u << LANES_) - 1);
        const VECTOR_ found = VLOAD_(items + k + first);
        PUT_KEPT_(found, own, n, at)
        PUT_OTHERS_(found, ~own, n, at)
        at += popcount(own);
      }
    }
#else
    for (int k = 0; k < STRIP_; k++) {
      const count_t_ n = n_ + k;
      ITEM_
      KEPT_
      OTHER_
      at += truths[k];
    }
#endif
  }
#endif
  for (; n_ < end && (HAS_OTHER_ || at < stop); n_++) {
    const count_t_ n = n_;
    if (IS_TRUE_(n)) {
      if (HAS_OTHER_ && at >= stop) continue;
      ITEM_
      KEPT_
      at++;
    } else {
#if HAS_OTHER_
      ITEM_
      OTHER_
#endif
    }
  }
}
