// A scalar argument that each launch of a list brings anew: from a number among the list's values to the driver. All of
// a list's values are converted before the first command is enqueued, so that one that does not fit stops them all.
#pragma once

#include "kernel.h"

namespace cl {

/// The codes of src/dtype/scalar-types.ts; 64-bit integers and halves are not numbers that C++ and JavaScript share.
enum class ScalarCode : uint8_t { Char = 1, Uchar, Short, Ushort, Int, Uint, Float = 9, Double = 10 };

class ScalarPatch final {
 public:
  /// Throws INVALID unless the argument is a scalar of that type, which is known to be no pointer once it has been set.
  ScalarPatch(const KernelRecord& record, int32_t argument, int32_t code, int32_t value);

  /// Which of the list's values it takes.
  uint32_t value() const { return value_; }
  /// Converts a value; false if the type cannot hold it.
  bool take(double value);
  /// Gives the driver what was taken, if that is new.
  cl_int apply(const Runtime& runtime, cl_kernel kernel, KernelRecord& record) const;

 private:
  uint32_t argument_;
  uint32_t value_;
  ScalarCode code_;
  /// The value as the kernel sees it, in the lowest bytes.
  uint64_t bits_ = 0;
};

}  // namespace cl
