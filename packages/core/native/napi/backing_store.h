// Keeps the memory of an ArrayBuffer alive while a device reads or writes it, whatever JavaScript does meanwhile.
//
// Holding a reference to the ArrayBuffer is not enough: postMessage, structuredClone and ArrayBuffer.prototype.transfer
// move its memory to another ArrayBuffer, which may be collected while the device still writes. V8 keeps the memory in
// a reference-counted backing store; holding that is what pins. Node-API has no call for it, so V8's own method is
// looked up by name in the running executable. It has had the same name and ABI from Node 20 to 26 on Linux and macOS;
// where it is not found (Windows, other engines) pinning is not available and TypeScript holds the ArrayBuffer instead.
#pragma once

#include <napi.h>

#include <memory>

namespace cl {

bool canPinBackingStores();

/// True for an ArrayBuffer that JavaScript can make shorter. The engine is asked, not a property that a program may
/// override. A SharedArrayBuffer can only grow. False where the engine's call is not found.
bool canShrink(Napi::Value arrayBuffer);

class Channel;

/// The backing store of an ArrayBuffer or SharedArrayBuffer, or null where it cannot be had. Any thread may let go of
/// it, at any time: after the engine has ended, when drivers still call back, it is leaked (Channel::dropPin).
std::shared_ptr<void> pinBackingStore(const std::shared_ptr<Channel>& channel, Napi::Value arrayBuffer);

/// An ArrayBuffer over memory that `owner` keeps until V8 drops it, on the JavaScript thread. Throws NOT_SUPPORTED
/// where the engine allows no such memory.
Napi::Value memoryOf(Napi::Env env, void* data, size_t bytes, std::shared_ptr<void> owner);

/// An ArrayBuffer over memory of ours. V8 calls `release(data, bytes, nullptr)` from any thread when it is collected.
/// Node-API's external ArrayBuffers cannot be transferred to other threads and are freed on the JavaScript thread,
/// where unmapping 64 MiB takes milliseconds; these have neither fault. Empty where V8's own call is not found, or not
/// allowed.
Napi::Value adoptMemory(Napi::Env env, void* data, size_t bytes, void (*release)(void*, size_t, void*));

}  // namespace cl
