// Creation and destruction of buffers, images and pipes.
//
// Lifetime rule: with USE_HOST_PTR the driver may access the caller's memory until it destroys the memory object, which
// may be after its release, when the last command has ended. The destructor callback therefore owns the pin. PoCL 3.1
// aborts if such a callback uses the object; these callbacks only drop the pin or post a completion.
#pragma once

#include "napi/call.h"

namespace cl {

/// Pins the host memory of a new memory object with USE_HOST_PTR; returns null without that flag. Throws NOT_SUPPORTED
/// if the memory cannot be pinned.
std::shared_ptr<void> pinForUse(Call& call, cl_mem_flags flags, const HostBytes& host);

/// Adds a new memory object and returns its handle. `pin` is held until the object is destroyed. Reports `bytes` to V8
/// unless the object is in pinned memory of V8; `isOwnMemory` means that the pinned memory is this addon's.
Handle addMemory(Call& call, cl_mem memory, const Runtime& runtime, void* context, std::shared_ptr<void> pin,
                 size_t bytes, bool isOwnMemory = false);

}  // namespace cl
