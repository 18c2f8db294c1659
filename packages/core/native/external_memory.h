// Memory that other programming interfaces made (cl_khr_external_memory).
#pragma once

#include "call.h"

namespace cl {

void addExternalMemoryExports(Exports& exports);

}  // namespace cl
