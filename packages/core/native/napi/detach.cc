#include "napi/detach.h"

namespace cl {

bool detach(Call& call, napi_value memory) {
  napi_env env = call.env;
  napi_value transfer, zero, rest;
  if (call.environment->transferMemory == nullptr) return napi_detach_arraybuffer(env, memory) == napi_ok;
  napi_get_reference_value(env, call.environment->transferMemory, &transfer);
  napi_create_int32(env, 0, &zero);
  if (napi_call_function(env, memory, transfer, 1, &zero, &rest) != napi_ok) {
    napi_get_and_clear_last_exception(env, &rest);
    return false;
  }
  bool detached = false;
  return napi_is_detached_arraybuffer(env, memory, &detached) == napi_ok && detached;
}

void captureTransfer(Call& call) {
  napi_env env = call.env;
  napi_value global, constructor, prototype, transfer;
  napi_valuetype type = napi_undefined;
  napi_get_global(env, &global);
  if (napi_get_named_property(env, global, "ArrayBuffer", &constructor) == napi_ok &&
      napi_get_named_property(env, constructor, "prototype", &prototype) == napi_ok &&
      napi_get_named_property(env, prototype, "transfer", &transfer) == napi_ok)
    napi_typeof(env, transfer, &type);
  if (type == napi_function) napi_create_reference(env, transfer, 1, &call.environment->transferMemory);
}

}  // namespace cl
