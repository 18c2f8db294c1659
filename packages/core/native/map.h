// Mapped memory as ArrayBuffers, and host memory for asynchronous reads.
#pragma once

#include "call.h"

namespace cl {
void addMapExports(Exports& exports);
}
