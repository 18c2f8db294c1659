// Events and user events.
#pragma once

#include "call.h"

namespace cl {
void addEventExports(Exports& exports);
}
