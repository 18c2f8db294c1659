// Command buffers of version 0.9.4 of the extension.
#pragma once

#include <utility>

#include "objects.h"

namespace fake {

/** Returns the functions of the extension with their names. */
std::vector<std::pair<const char*, void*>> command_buffer_functions();

void destroy_command_buffer(Object& object);

}  // namespace fake
