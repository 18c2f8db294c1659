#include "napi/backing_store.h"

#include <utility>

#include "napi/completion.h"

#ifndef _WIN32
#include <dlfcn.h>
#endif

namespace cl {
namespace {

// std::shared_ptr<v8::BackingStore> v8::ArrayBuffer::GetBackingStore(). A member function without arguments has the
// calling convention of a function of its object, and napi_value holds the same handle as Local<ArrayBuffer>.
using GetBackingStore = std::shared_ptr<void> (*)(napi_value self);

template <typename Function>
Function find(const char* mangled) {
#ifdef _WIN32
  (void)mangled;
  return nullptr;
#else
  return reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, mangled));
#endif
}

const GetBackingStore& ofArrayBuffer() {
  static const auto function = find<GetBackingStore>("_ZN2v811ArrayBuffer15GetBackingStoreEv");
  return function;
}

const GetBackingStore& ofSharedArrayBuffer() {
  static const auto function = find<GetBackingStore>("_ZN2v817SharedArrayBuffer15GetBackingStoreEv");
  return function;
}

/// bool v8::BackingStore::IsResizableByUserJavaScript() const.
using IsResizable = bool (*)(const void* self);

const IsResizable& isResizable() {
  static const auto function = find<IsResizable>("_ZNK2v812BackingStore27IsResizableByUserJavaScriptEv");
  return function;
}

/// Has the ABI of the std::unique_ptr<v8::BackingStore> that V8 returns: a pointer in an object with a destructor.
struct OwnedStore {
  void* store;
  ~OwnedStore() {}
};

/// V8's functions that create an ArrayBuffer over existing memory. False unless all were found.
struct Adoption {
  using Release = void (*)(void*, size_t, void*);
  void* (*isolate)();
  OwnedStore (*newStore)(void* data, size_t bytes, Release release, void* hint);
  void (*destroyStore)(void* store);
  napi_value (*newArrayBuffer)(void* isolate, std::shared_ptr<void> store);

  Adoption()
      : isolate(find<decltype(isolate)>("_ZN2v87Isolate10GetCurrentEv")),
        newStore(find<decltype(newStore)>("_ZN2v811ArrayBuffer15NewBackingStoreEPvmPFvS1_mS1_ES1_")),
        destroyStore(find<decltype(destroyStore)>("_ZN2v812BackingStoreD1Ev")),
        newArrayBuffer(find<decltype(newArrayBuffer)>(
#ifdef __APPLE__
            "_ZN2v811ArrayBuffer3NewEPNS_7IsolateENSt3__110shared_ptrINS_12BackingStoreEEE"
#else
            "_ZN2v811ArrayBuffer3NewEPNS_7IsolateESt10shared_ptrINS_12BackingStoreEE"
#endif
            )) {
  }
  explicit operator bool() const { return isolate && newStore && destroyStore && newArrayBuffer; }
};

/// Returns whether external ArrayBuffers are allowed. An engine with a sandbox aborts if V8's own function gets memory
/// from outside it; Node-API's function only fails, so it is tried first.
bool areExternalBuffersAllowed(Napi::Env env) {
  static uint8_t byte = 0;
  try {
    Napi::ArrayBuffer::New(env, &byte, 1);
    return true;
  } catch (const Napi::Error&) {
    return false;
  }
}

struct Pin {
  std::shared_ptr<Channel> channel;
  std::shared_ptr<void> store;

  Pin(std::shared_ptr<Channel> channel_, std::shared_ptr<void> store_)
      : channel(std::move(channel_)), store(std::move(store_)) {}
  Pin(const Pin&) = delete;
  Pin& operator=(const Pin&) = delete;
  ~Pin() { channel->dropPin(std::move(store)); }
};

}  // namespace

bool canShrink(Napi::Value arrayBuffer) {
  if (isResizable() == nullptr || ofArrayBuffer() == nullptr) return false;
  if (!arrayBuffer.IsArrayBuffer()) return false;
  const std::shared_ptr<void> store = ofArrayBuffer()(arrayBuffer);
  return store && isResizable()(store.get());
}

bool canPinBackingStores() { return ofArrayBuffer() != nullptr && ofSharedArrayBuffer() != nullptr; }

std::shared_ptr<void> pinBackingStore(const std::shared_ptr<Channel>& channel, Napi::Value arrayBuffer) {
  if (!canPinBackingStores() || arrayBuffer.IsEmpty()) return {};
  const bool plain = arrayBuffer.IsArrayBuffer();
  std::shared_ptr<void> store = plain ? ofArrayBuffer()(arrayBuffer) : ofSharedArrayBuffer()(arrayBuffer);
  if (!store) return {};
  return std::make_shared<Pin>(channel, std::move(store));
}

Napi::Value memoryOf(Napi::Env env, void* data, size_t bytes, std::shared_ptr<void> owner) {
  try {
    return Napi::ArrayBuffer::New(env, data, bytes, [owner = std::move(owner)](Napi::Env, void*) {});
  } catch (const Napi::Error&) {
    throw Failure{"NOT_SUPPORTED", "napi_create_external_arraybuffer", CL_SUCCESS,
                  "an engine that allows external ArrayBuffers", -1};
  }
}

Napi::Value adoptMemory(Napi::Env env, void* data, size_t bytes, void (*release)(void*, size_t, void*)) {
  static const Adoption v8;
  static const bool allowed = v8 && areExternalBuffersAllowed(env);
  if (!allowed) return {};
  const std::shared_ptr<void> store(v8.newStore(data, bytes, release, nullptr).store, [](void* owned) {
    v8.destroyStore(owned);
    ::operator delete(owned);
  });
  return {env, v8.newArrayBuffer(v8.isolate(), store)};
}

}  // namespace cl
