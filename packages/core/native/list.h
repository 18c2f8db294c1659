// Launch lists: many commands recorded once and enqueued by one call.
#pragma once

#include "call.h"

namespace cl {
void addListExports(Exports& exports);
}
