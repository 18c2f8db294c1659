// Samplers: how kernels read images.
#pragma once

#include "call.h"

namespace cl {

void addSamplerExports(Exports& exports);

}  // namespace cl
