// The iteration of the event loop: if two numbers are equal, no callback of the loop, such as a timer's or a request's,
// can have run between them.
//
// Node-API has no function for it. libuv counts its loops' iterations, and its function is looked up by name in the
// running executable. If it is not found (Windows, other engines), the iteration is unknown.
#pragma once

#include <napi.h>

#include <cstdint>
#include <optional>

namespace cl {

/// Returns the number of the current iteration, or nothing if it is unknown. JavaScript thread only.
std::optional<uint64_t> currentTurn(Napi::Env env);

}  // namespace cl
