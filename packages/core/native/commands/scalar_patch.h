// A scalar argument that is set at each launch, from one of the launch's values. All values are converted before the
// first command is enqueued, so that a value that does not fit prevents the whole launch.
#pragma once

#include <cfloat>
#include <cmath>
#include <cstring>
#include <limits>

#include "objects/kernel.h"

namespace cl {

/// The codes of src/dtype/scalar-types.ts, except half. Values of 64-bit integers must be safe integers.
enum class ScalarCode : uint8_t { Char = 1, Uchar, Short, Ushort, Int, Uint, Long, Ulong, Float, Double };

class ScalarPatch final {
 public:
  /// Throws INVALID unless the argument is a scalar of that type. An argument of pointer size must have been set
  /// before, because only then is it known not to be a pointer.
  ScalarPatch(const KernelRecord& record, int32_t argument, int32_t code, int32_t value);

  /// The index of its value among the launch's values.
  uint32_t value() const { return value_; }

  /// Converts and stores a value. Returns false if the type cannot represent it.
  bool take(double value) {
    switch (code_) {
      case ScalarCode::Float:
        // Same rule as fitsScalar() in src/dtype/scalar-value.ts.
        if (std::fabs(value) > static_cast<double>(FLT_MAX) && std::isfinite(value)) return false;
        return store(static_cast<float>(value));
      case ScalarCode::Double:
        return store(value);
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

  /// Passes the stored value to the driver if it has changed.
  cl_int apply(const Runtime& runtime, cl_kernel kernel, KernelRecord& record) const {
    Argument& argument = record.arguments[argument_];
    uint64_t& last = record.last[argument.offset / sizeof(uint64_t)];
    if (argument.set && last == bits_ && !record.shared) return CL_SUCCESS;
    const cl_int status = runtime.clSetKernelArg(kernel, argument_, argument.size, &bits_);
    argument.set = status == CL_SUCCESS;
    if (argument.set)
      last = bits_;
    else
      record.checkedEpoch = 0;
    return status;
  }

 private:
  static constexpr double kMaxSafeInteger = 9007199254740991;

  template <typename Integer>
  bool takeInteger(double value) {
    // Converting a value that does not fit is undefined behavior; NaN fits no integer type. The limits of 64-bit types
    // round up as doubles, but kMaxSafeInteger is below them.
    constexpr auto kMin = static_cast<double>(std::numeric_limits<Integer>::min());
    constexpr auto kMax = static_cast<double>(std::numeric_limits<Integer>::max());
    if (!(value >= kMin && value <= kMax)) return false;
    const auto integer = static_cast<Integer>(value);
    return static_cast<double>(integer) == value && store(integer);
  }

  template <typename Scalar>
  bool store(Scalar value) {
    bits_ = 0;
    std::memcpy(&bits_, &value, sizeof value);
    return true;
  }

  uint32_t argument_;
  uint32_t value_;
  ScalarCode code_;
  /// The value's bytes, in the lowest bytes.
  uint64_t bits_ = 0;
};

}  // namespace cl
