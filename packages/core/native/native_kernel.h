// Native kernels: C functions that the device's own threads call.
#pragma once

#include "call.h"

namespace cl {

void addNativeKernelExports(Exports& exports);

}  // namespace cl
