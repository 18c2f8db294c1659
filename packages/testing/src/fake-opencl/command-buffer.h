// Command buffers (cl_khr_command_buffer 0.9.4, or 0.9.6 with one more parameter).
#pragma once

#include <utility>

#include "objects.h"

namespace fake {

/** The functions by name, with the parameter that version 0.9.5 added to three of them if `takes_properties`. */
std::vector<std::pair<const char*, void*>> command_buffer_functions(bool takes_properties);

void destroy_command_buffer(Object& object);

}  // namespace fake
