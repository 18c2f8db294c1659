// Where the lines of a pass are, counted in complex elements.
//   place_t: int or long

typedef struct {
  place_t lanes;
  place_t lane_in;
  place_t lane_out;
  place_t step_in;
  place_t step_out;
  place_t count[3];
  place_t in[3];
  place_t out[3];
  place_t start_in;
  place_t start_out;
  place_t shared;
} Pass;
