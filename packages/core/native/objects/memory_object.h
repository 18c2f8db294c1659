// What buffers, images and pipes have in common when they are made and when they end.
//
// Lifetime rule: with USE_HOST_PTR the driver may touch the caller's memory until the memory object is really
// destroyed, which is later than our release while commands use it. The pin therefore belongs to the destructor
// callback. PoCL 3.1 aborts if such a callback touches the dying object; ours only drops the pin or posts a number.
#pragma once

#include "napi/call.h"

namespace cl {

/// The pin of the host memory that a new memory object will live in; nothing unless the flags say that it will. Throws
/// where memory cannot be pinned.
std::shared_ptr<void> pinForUse(Call& call, cl_mem_flags flags, const HostBytes& host);

/// The handle of a new memory object. With a pin it lives in host memory; without one, or if the pin is of memory of
/// ours, V8 is told of its bytes.
Handle addMemory(Call& call, cl_mem memory, const Runtime& runtime, void* context, std::shared_ptr<void> pin,
                 size_t bytes, bool ours = false);

}  // namespace cl
