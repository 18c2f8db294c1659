// Extensions of devices: FAKE_CL_EXTENSIONS is `all` or a list of names, with versions other than 1.0.0.
#pragma once

#include "objects.h"

namespace fake {

/** Returns the names and versions, beginning with those that every device has. */
std::vector<cl_name_version> extension_list();

/** Destroys a semaphore without references. */
void destroy_semaphore(Object& object);

/** Returns whether devices currently have the extension. */
bool has_extension(std::string_view name);

/** Returns whether this buffer property is a file descriptor to import. */
bool is_external_memory(cl_mem_properties type);

}  // namespace fake
