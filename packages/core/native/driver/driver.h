// Driver detection, for driver-specific workarounds.
//
// In comments, "PoCL" stands for PoCL 3.1 and 7.1; a defect that only one of them has names its version.
#pragma once

#include "driver/loader.h"

namespace cl {

/// Returns null if the driver does not report a platform.
cl_platform_id platformOf(const Runtime& runtime, cl_device_id device);

bool isPocl(const Runtime& runtime, cl_device_id device);
bool isPocl(const Runtime& runtime, cl_command_queue queue);
/// Returns whether the driver is PoCL of an earlier major version, or PoCL that does not report its version.
bool isPoclBefore(const Runtime& runtime, cl_device_id device, int major);
bool isPoclBefore(const Runtime& runtime, cl_command_queue queue, int major);
bool isNvidia(const Runtime& runtime, cl_command_queue queue);
bool isNvidia(const Runtime& runtime, cl_context context);

}  // namespace cl
