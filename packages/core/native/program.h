// Programs: creation from every form, build, compile, link, binaries.
#pragma once

#include "call.h"

namespace cl {
void addProgramExports(Exports& exports);
}
