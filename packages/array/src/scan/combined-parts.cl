// What scans combine: items, or in rows of segments items that know whether a segment starts among them, so that
// nothing goes across their starts. Depends on the type `Item_`, and on `identity_` and `combine_`.
//   SEGMENTS_: whether there are segments

#if SEGMENTS_
/* The combination of some adjacent items; `started`: a segment starts among them, so preceding items do not count. */
typedef struct {
  Item_ value;
  int started;
} Part_;

Part_ part_(const Item_ value, const int started) {
  Part_ part;
  part.value = value;
  part.started = started;
  return part;
}
Part_ join_(const Part_ a, const Part_ b) { return b.started ? b : part_(combine_(a.value, b.value), a.started); }
#define NOTHING_ part_(identity_(), 0)
#define PART_(value, starts) part_(value, starts)
#define VALUE_(part) ((part).value)
#define JOIN_(a, b) join_(a, b)
#else
typedef Item_ Part_;
#define NOTHING_ identity_()
#define PART_(value, starts) (value)
#define VALUE_(part) (part)
#define JOIN_(a, b) combine_(a, b)
#endif
