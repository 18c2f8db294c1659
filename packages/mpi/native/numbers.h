// The numbers of a request, which JavaScript writes before a call and native code reads only during it: an argument of
// a native function takes 8 ns or more, and a message between two ranks 400 ns.
#pragma once

#include <cstdint>

namespace cl::mpi {

/// In the order of src/native.ts.
struct Numbers {
  int32_t kind;
  int32_t communicator;
  int32_t type;
  int32_t peer;
  int32_t tag;
  /// Of the message that was received.
  int32_t source;
  int32_t arrivedTag;
};

}  // namespace cl::mpi
