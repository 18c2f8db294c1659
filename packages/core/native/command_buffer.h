// Command buffers (cl_khr_command_buffer): commands recorded once by the driver and enqueued together.
//
// Lifetime rule: OpenCL does not promise that a command buffer keeps what it uses. So the record retains every memory
// object, sampler and kernel, and whatever other record an argument lies in, until the command buffer is released; and
// while it runs, the driver's end of it is waited for before that happens (see the destructor).
#pragma once

#include "call.h"

namespace cl {

void addCommandBufferExports(Exports& exports);

}  // namespace cl
