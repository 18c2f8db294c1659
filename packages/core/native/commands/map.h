// Mapped memory as ArrayBuffers, and host memory for asynchronous reads.
#pragma once

#include <functional>

#include "napi/call.h"

namespace cl {

/// Enqueues a map command of any kind and returns what the driver does; says how many bytes are mapped.
using EnqueueMap = std::function<void*(size_t& bytes, cl_event* event, cl_int* status)>;
/// [map, event or 0]: maps an object and remembers how to unmap it. A map that blocks has no event.
Napi::Value mapWith(Call& call, const Slot& queue, const Slot& memory, bool blocking, const char* routine,
                    const EnqueueMap& enqueue);

/// Enqueues a read of any kind into memory of ours.
using EnqueueRead = std::function<cl_int(void* data, cl_event* event)>;
/// [landing, event]: a read into memory that JavaScript cannot see before the read is complete.
Napi::Value landWith(Call& call, const Slot& queue, size_t bytes, const char* routine, const EnqueueRead& enqueue);

}  // namespace cl
