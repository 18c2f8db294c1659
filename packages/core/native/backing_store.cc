#include "backing_store.h"

#ifndef _WIN32
#include <dlfcn.h>
#endif

namespace cl {
namespace {

// std::shared_ptr<v8::BackingStore> v8::ArrayBuffer::GetBackingStore(). A member function without arguments is called
// like a function of its object, and napi_value is the object's handle, as Local<ArrayBuffer> is.
using GetBackingStore = std::shared_ptr<void> (*)(napi_value self);

GetBackingStore find(const char* mangled) {
#ifdef _WIN32
  (void)mangled;
  return nullptr;
#else
  return reinterpret_cast<GetBackingStore>(dlsym(RTLD_DEFAULT, mangled));
#endif
}

const GetBackingStore& ofArrayBuffer() {
  static const GetBackingStore function = find("_ZN2v811ArrayBuffer15GetBackingStoreEv");
  return function;
}

const GetBackingStore& ofSharedArrayBuffer() {
  static const GetBackingStore function = find("_ZN2v817SharedArrayBuffer15GetBackingStoreEv");
  return function;
}

}  // namespace

bool canPinBackingStores() { return ofArrayBuffer() != nullptr && ofSharedArrayBuffer() != nullptr; }

std::shared_ptr<void> pinBackingStore(napi_env env, napi_value arrayBuffer) {
  if (!canPinBackingStores()) return {};
  bool plain = false;
  napi_is_arraybuffer(env, arrayBuffer, &plain);
  return plain ? ofArrayBuffer()(arrayBuffer) : ofSharedArrayBuffer()(arrayBuffer);
}

}  // namespace cl
