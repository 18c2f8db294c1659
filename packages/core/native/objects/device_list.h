// The property that lists the devices of a semaphore or of imported memory: a list inside the property list.
#pragma once

#include "napi/call.h"

namespace cl {

/// Keys: for memory, and for semaphores until their extension got a separate key.
inline constexpr cl_ulong kDeviceHandleList = 0x2051;
inline constexpr cl_ulong kSemaphoreDeviceHandleList = 0x2053;

/// Appends the devices of argument `i`, an Int32Array of handles; appends nothing if it is empty.
inline void appendDevices(Call& call, size_t i, std::vector<cl_ulong>& properties, cl_ulong key = kDeviceHandleList) {
  const std::vector<int32_t> handles = call.integers(i);
  if (handles.empty()) return;
  properties.push_back(key);
  for (const Handle handle : handles) {
    const Slot& device = call.environment->handles.get(handle, Kind::Device, static_cast<int>(i));
    properties.push_back(reinterpret_cast<uintptr_t>(device.object));
  }
  properties.push_back(0);
}

}  // namespace cl
