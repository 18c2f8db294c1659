// The devices' extensions: FAKE_CL_EXTENSIONS is `all` or a list of names, with a version unless that is 1.0.0.
#pragma once

#include "objects.h"

namespace fake {

/** Names and versions; those that every device supports come first. */
std::vector<cl_name_version> extension_list();

/** Destroys a semaphore without references. */
void destroy_semaphore(Object& object);

/** Returns whether the devices support the extension now. */
bool has_extension(std::string_view name);

/** Returns whether this buffer property is a file descriptor to import. */
bool is_external_memory(cl_mem_properties type);

}  // namespace fake
