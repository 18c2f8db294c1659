// Which driver an object belongs to, for the few things that one driver does differently.
#pragma once

#include "driver/loader.h"

namespace cl {

/// Null where the driver does not say.
cl_platform_id platformOf(const Runtime& runtime, cl_device_id device);

bool isPocl(const Runtime& runtime, cl_device_id device);
bool isPocl(const Runtime& runtime, cl_command_queue queue);
bool isNvidia(const Runtime& runtime, cl_command_queue queue);
bool isNvidia(const Runtime& runtime, cl_context context);

}  // namespace cl
