// Host functions: JavaScript functions that have a turn in a queue. OpenCL knows nothing of them, so each is three
// things: a marker that completes when its turn has come, a user event that JavaScript ends when the function has, and
// a barrier (out of order: a marker) that waits for the user event and holds what follows.
#pragma once

#include "call.h"

namespace cl {

void addHostFunctionExports(Exports& exports);

}  // namespace cl
