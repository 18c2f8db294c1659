// Contexts, and the messages that drivers send about them.
#pragma once

#include "call.h"

namespace cl {
void addContextExports(Exports& exports);
}
