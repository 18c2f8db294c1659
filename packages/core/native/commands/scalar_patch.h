// A scalar argument that each launch of a list brings anew: from a number among the list's values to the driver. All of
// a list's values are converted before the first command is enqueued, so that one that does not fit stops them all.
#pragma once

#include <cfloat>
#include <cmath>
#include <cstring>
#include <limits>

#include "objects/kernel.h"

namespace cl {

/// The codes of src/dtype/scalar-types.ts, without half. Numbers for 64-bit integers must be safe integers.
enum class ScalarCode : uint8_t { Char = 1, Uchar, Short, Ushort, Int, Uint, Long, Ulong, Float, Double };

class ScalarPatch final {
 public:
  /// Throws INVALID unless the argument is a scalar of that type, which is known to be no pointer once it has been set.
  ScalarPatch(const KernelRecord& record, int32_t argument, int32_t code, int32_t value);

  /// Which of the list's values it takes.
  uint32_t value() const { return value_; }

  /// Converts a value; false if the type cannot hold it.
  bool take(double value) {
    switch (code_) {
      case ScalarCode::Float:
        // As fitsScalar() in src/dtype/scalar-value.ts has it.
        if (std::fabs(value) > static_cast<double>(FLT_MAX) && std::isfinite(value)) return false;
        return keep(static_cast<float>(value));
      case ScalarCode::Double:
        return keep(value);
      case ScalarCode::Long:
        return std::fabs(value) <= kMaxSafeInteger && takeInteger<int64_t>(value);
      case ScalarCode::Ulong:
        return value <= kMaxSafeInteger && takeInteger<uint64_t>(value);
      case ScalarCode::Int:
        return takeInteger<int32_t>(value);
      case ScalarCode::Uint:
        return takeInteger<uint32_t>(value);
      case ScalarCode::Short:
        return takeInteger<int16_t>(value);
      case ScalarCode::Ushort:
        return takeInteger<uint16_t>(value);
      case ScalarCode::Char:
        return takeInteger<int8_t>(value);
      case ScalarCode::Uchar:
        return takeInteger<uint8_t>(value);
    }
    return false;
  }

  /// Gives the driver what was taken, if that is new.
  cl_int apply(const Runtime& runtime, cl_kernel kernel, KernelRecord& record) const {
    Argument& argument = record.arguments[argument_];
    uint64_t& last = record.last[argument.offset / sizeof(uint64_t)];
    if (argument.set && last == bits_ && !record.shared) return CL_SUCCESS;
    const cl_int status = runtime.clSetKernelArg(kernel, argument_, argument.size, &bits_);
    argument.set = status == CL_SUCCESS;
    if (argument.set)
      last = bits_;
    else
      record.seen = 0;
    return status;
  }

 private:
  static constexpr double kMaxSafeInteger = 9007199254740991;

  template <typename Integer>
  bool takeInteger(double value) {
    // Converting what does not fit is undefined; NaN fits nowhere. The limits of 64 bits round up as doubles, but
    // kMaxSafeInteger is below them.
    constexpr auto kLeast = static_cast<double>(std::numeric_limits<Integer>::min());
    constexpr auto kMost = static_cast<double>(std::numeric_limits<Integer>::max());
    if (!(value >= kLeast && value <= kMost)) return false;
    const auto integer = static_cast<Integer>(value);
    return static_cast<double>(integer) == value && keep(integer);
  }

  template <typename Scalar>
  bool keep(Scalar value) {
    bits_ = 0;
    std::memcpy(&bits_, &value, sizeof value);
    return true;
  }

  uint32_t argument_;
  uint32_t value_;
  ScalarCode code_;
  /// The value as the kernel sees it, in the lowest bytes.
  uint64_t bits_ = 0;
};

}  // namespace cl
