// The property that says for which devices of a context a semaphore or imported memory is: a list in the list.
#pragma once

#include "napi/call.h"

namespace cl {

/// Of memory, and of semaphores until their extension got a key of its own.
inline constexpr cl_ulong kDeviceHandleList = 0x2051;
inline constexpr cl_ulong kSemaphoreDeviceHandleList = 0x2053;

/// Appends the devices of argument `i`, an Int32Array of handles; nothing if it is empty.
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
