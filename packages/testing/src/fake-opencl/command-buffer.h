// Command buffers (cl_khr_command_buffer 0.9.4).
#pragma once

#include <utility>

#include "objects.h"

namespace fake {

/** The functions by name. */
std::vector<std::pair<const char*, void*>> command_buffer_functions();

void destroy_command_buffer(Object& object);

}  // namespace fake
