// Commands that move bytes: read, write, copy, their rectangles, fill, migrate.
#pragma once

#include "call.h"

namespace cl {
void addTransferExports(Exports& exports);
}
