// The bin of one element between edges. Depends on bins.cl.
//   NAME: the function of bins.cl for one element

int bin_of(PARAMETERS, const int bins, const long i) {
  int found;
  NAME(ARGUMENTS, bins, i, &found);
  return found;
}
