// Pipes: packets that kernels hand to each other in order.
#pragma once

#include "call.h"

namespace cl {

void addPipeExports(Exports& exports);

}  // namespace cl
