#include "napi/detach.h"

namespace cl {

bool isOver(const Call& call, size_t position, const void* memory) {
  auto given = call.value(position).As<Napi::ArrayBuffer>();
  const bool fits = given.IsArrayBuffer() && (given.IsDetached() || given.Data() == memory);
  if (!fits) invalid("the ArrayBuffer over this memory was expected", static_cast<int>(position));
  return !given.IsDetached();
}

bool detach(const Call& call, size_t position) {
  auto memory = call.value(position).As<Napi::ArrayBuffer>();
  const Napi::FunctionReference& transfer = call.environment->transferMemory;
  try {
    if (transfer.IsEmpty())
      memory.Detach();
    else
      transfer.Call(memory, {Napi::Number::New(call.env, 0)});
    return memory.IsDetached();
  } catch (const Napi::Error&) {
    return false;
  }
}

void captureTransfer(Call& call) {
  const auto constructor = call.env.Global().Get("ArrayBuffer").As<Napi::Object>();
  const Napi::Value transfer = constructor.Get("prototype").As<Napi::Object>().Get("transfer");
  if (transfer.IsFunction()) call.environment->transferMemory = Napi::Persistent(transfer.As<Napi::Function>());
}

}  // namespace cl
