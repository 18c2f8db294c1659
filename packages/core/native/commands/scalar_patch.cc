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
  if (!known) invalid("the kernel has no such argument");
  const Argument& target = record.arguments[argument_];
  const bool pointer = target.size == sizeof(void*) && !target.set && !target.isKnownValue;
  if (target.kind != ArgumentKind::Value || pointer || target.size != bytesOf(code_))
    invalid("expected a scalar argument of the given type");
}

}  // namespace cl
