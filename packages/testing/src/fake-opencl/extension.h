// Which extensions devices have: FAKE_CL_EXTENSIONS, `all` or a list of names with a version where it is not 1.0.0.
#pragma once

#include "objects.h"

namespace fake {

/** Names and versions, those that every device has first. */
std::vector<cl_name_version> extension_list();

/** Ends a semaphore that nobody refers to. */
void destroy_semaphore(Object& object);

/** Whether devices have it now. */
bool has_extension(std::string_view name);

/** Whether this property of a buffer names a file descriptor to import. */
bool is_external_memory(cl_mem_properties type);

}  // namespace fake
