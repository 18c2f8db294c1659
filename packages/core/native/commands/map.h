// Mapped memory as ArrayBuffers, and memory for asynchronous reads.
#pragma once

#include <functional>

#include "napi/call.h"

namespace cl {

/// Enqueues a map command, sets `bytes` to the mapped length and returns the mapped pointer.
using EnqueueMap = std::function<void*(size_t& bytes, cl_event* event, cl_int* status)>;
/// Maps an object and returns [map, event or 0]. A blocking map has no event.
Napi::Value mapWith(Call& call, const Slot& queue, const Slot& memory, bool blocking, const char* routine,
                    const EnqueueMap& enqueue);

/// Enqueues a read command into `data`.
using EnqueueRead = std::function<cl_int(void* data, cl_event* event)>;
/// Reads into landing memory, which JavaScript cannot access before the read is complete, and returns [landing, event].
Napi::Value landWith(Call& call, const Slot& queue, size_t bytes, const char* routine, const EnqueueRead& enqueue);

}  // namespace cl
