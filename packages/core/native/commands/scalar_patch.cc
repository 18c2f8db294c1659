#include "commands/scalar_patch.h"

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
    case ScalarCode::Long:
    case ScalarCode::Ulong:
    case ScalarCode::Double:
      return 8;
  }
  return 0;
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

}  // namespace cl
