#include "scalar_patch.h"

#include <cfloat>
#include <cmath>
#include <cstring>
#include <limits>

namespace cl {
namespace {

uint32_t bytesOf(ScalarCode code) {
  switch (code) {
    case ScalarCode::Char:
    case ScalarCode::Uchar:
      return 1;
    case ScalarCode::Short:
    case ScalarCode::Ushort:
      return 2;
    case ScalarCode::Int:
    case ScalarCode::Uint:
    case ScalarCode::Float:
      return 4;
    case ScalarCode::Double:
      return 8;
  }
  return 0;
}

template <typename Integer>
bool takeInteger(double value, uint64_t& bits) {
  constexpr double kLeast = std::numeric_limits<Integer>::min();
  constexpr double kMost = std::numeric_limits<Integer>::max();
  // Converting what does not fit is undefined; NaN fits nowhere.
  if (!(value >= kLeast && value <= kMost)) return false;
  const auto integer = static_cast<Integer>(value);
  if (static_cast<double>(integer) != value) return false;
  bits = 0;
  std::memcpy(&bits, &integer, sizeof integer);
  return true;
}

}  // namespace

ScalarPatch::ScalarPatch(const KernelRecord& record, int32_t argument, int32_t code, int32_t value)
    : argument_(static_cast<uint32_t>(argument)),
      value_(static_cast<uint32_t>(value)),
      code_(static_cast<ScalarCode>(code)) {
  const bool known = argument >= 0 && static_cast<size_t>(argument) < record.arguments.size() && value >= 0;
  if (!known) invalid("there is no such argument");
  const Argument& taken = record.arguments[argument_];
  const bool pointer = taken.size == sizeof(void*) && !taken.set && !taken.safe;
  if (taken.kind != ArgumentKind::Value || pointer || taken.size != bytesOf(code_))
    invalid("a scalar argument of that type was expected");
}

bool ScalarPatch::take(double value) {
  switch (code_) {
    case ScalarCode::Char:
      return takeInteger<int8_t>(value, bits_);
    case ScalarCode::Uchar:
      return takeInteger<uint8_t>(value, bits_);
    case ScalarCode::Short:
      return takeInteger<int16_t>(value, bits_);
    case ScalarCode::Ushort:
      return takeInteger<uint16_t>(value, bits_);
    case ScalarCode::Int:
      return takeInteger<int32_t>(value, bits_);
    case ScalarCode::Uint:
      return takeInteger<uint32_t>(value, bits_);
    case ScalarCode::Float: {
      // As fitsScalar() in src/dtype/scalar-value.ts has it.
      if (std::fabs(value) > static_cast<double>(FLT_MAX) && std::isfinite(value)) return false;
      const auto single = static_cast<float>(value);
      bits_ = 0;
      std::memcpy(&bits_, &single, sizeof single);
      return true;
    }
    case ScalarCode::Double:
      std::memcpy(&bits_, &value, sizeof value);
      return true;
  }
  return false;
}

cl_int ScalarPatch::apply(const Runtime& runtime, cl_kernel kernel, KernelRecord& record) const {
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

}  // namespace cl
