// Driver detection, for driver-specific workarounds.
#pragma once

#include "driver/loader.h"

namespace cl {

/// Returns null if the driver does not report a platform.
cl_platform_id platformOf(const Runtime& runtime, cl_device_id device);

bool isPocl(const Runtime& runtime, cl_device_id device);
bool isPocl(const Runtime& runtime, cl_command_queue queue);
bool isNvidia(const Runtime& runtime, cl_command_queue queue);
bool isNvidia(const Runtime& runtime, cl_context context);

}  // namespace cl
