// Which turn of the event loop the thread is in: two equal numbers mean that no callback of the loop, such as a timer
// or a request, can have run between them.
//
// Node-API has no call for it. libuv counts the turns of its loops, and its function is looked up by name in the
// running executable. Where it is not found (Windows, other engines) the turn is unknown.
#pragma once

#include <napi.h>

#include <cstdint>
#include <optional>

namespace cl {

std::optional<uint64_t> currentTurn(Napi::Env env);

}  // namespace cl
