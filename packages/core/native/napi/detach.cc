#include "napi/detach.h"

namespace cl {

bool isAttached(const Call& call, size_t position, const void* memory) {
  auto buffer = call.value(position).As<Napi::ArrayBuffer>();
  const bool fits = buffer.IsArrayBuffer() && (buffer.IsDetached() || buffer.Data() == memory);
  if (!fits) invalid("expected the ArrayBuffer over this memory", static_cast<int>(position));
  return !buffer.IsDetached();
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
