// Buffers: creation, sub-buffers, destruction callbacks.
#pragma once

#include "call.h"

namespace cl {
void addBufferExports(Exports& exports);
}
