// Command buffers, as version 0.9.4 of their extension has them.
#pragma once

#include <utility>

#include "objects.h"

namespace fake {

/** Each function by its name. */
std::vector<std::pair<const char*, void*>> command_buffer_functions();

void destroy_command_buffer(Object& object);

}  // namespace fake
