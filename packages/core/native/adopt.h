// Raw pointers in and out, for work with other libraries in the same process.
#pragma once

#include "call.h"

namespace cl {
void addAdoptExports(Exports& exports);
}
