// The launch path: one kernel, a bound kernel, a list of many.
#pragma once

#include "call.h"

namespace cl {
void addLaunchExports(Exports& exports);
}
