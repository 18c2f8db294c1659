// Images: formats, creation, and the commands that move pixels.
#pragma once

#include "call.h"

namespace cl {
void addImageExports(Exports& exports);
}
