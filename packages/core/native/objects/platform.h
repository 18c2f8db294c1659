// Platforms and devices: listing, sub-devices, timers.
#pragma once

#include "napi/call.h"

namespace cl {

/// The devices that an info query answered with, as handles.
std::vector<Handle> internDevices(Environment& environment, const Runtime& runtime,
                                  const std::vector<cl_device_id>& devices);

}  // namespace cl
