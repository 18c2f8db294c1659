// Keeps the memory of an ArrayBuffer alive while a device reads or writes it.
//
// A reference to the ArrayBuffer is not enough: postMessage, structuredClone and ArrayBuffer.prototype.transfer move
// its memory to another ArrayBuffer, which may be collected while the device still writes. V8 keeps the memory in a
// reference-counted backing store, so this module holds a reference to that. Node-API has no function for it, so V8's
// method is looked up by name in the running executable. Its name and ABI are the same from Node 20 to 26 on Linux and
// macOS. Where it is not found (Windows, other engines), pinning is not available and TypeScript holds the ArrayBuffer.
#pragma once

#include <napi.h>

#include <memory>

namespace cl {
/// Returns whether V8's functions for pinning were found.
bool canPinBackingStores();

/// Returns whether JavaScript can shrink this ArrayBuffer. Asks the engine, not a property that a program may override.
/// False for a SharedArrayBuffer, which can only grow, and if V8's function was not found.
bool canShrink(Napi::Value arrayBuffer);

class Channel;

/// Returns the backing store of an ArrayBuffer or SharedArrayBuffer, or null if it cannot be pinned. Any thread may
/// drop it at any time. After the engine has ended it is leaked instead of freed (Channel::dropPin).
std::shared_ptr<void> pinBackingStore(const std::shared_ptr<Channel>& channel, Napi::Value arrayBuffer);

/// Returns an ArrayBuffer over memory that `owner` keeps alive until V8 drops it, on the JavaScript thread. Throws
/// NOT_SUPPORTED if the engine does not allow external ArrayBuffers.
Napi::Value memoryOf(Napi::Env env, void* data, size_t bytes, std::shared_ptr<void> owner);

/// Returns an ArrayBuffer that takes ownership of memory. V8 calls `release(data, bytes, nullptr)` on any thread when
/// the memory is collected. Unlike Node-API's external ArrayBuffers, it can be transferred to other threads and is not
/// freed on the JavaScript thread, where unmapping 64 MiB takes milliseconds. Empty if V8's functions were not found or
/// external memory is not allowed.
Napi::Value adoptMemory(Napi::Env env, void* data, size_t bytes, void (*release)(void*, size_t, void*));

}  // namespace cl
