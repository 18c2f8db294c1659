// Platforms and devices: listing, sub-devices, timers.
#pragma once

#include "napi/call.h"

namespace cl {

/// Returns the handles of devices that a query returned.
std::vector<Handle> internDevices(Environment& environment, const Runtime& runtime,
                                  const std::vector<cl_device_id>& devices);

}  // namespace cl
