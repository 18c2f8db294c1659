// Memory created by other APIs (cl_khr_external_memory).
#include "driver/extensions.h"
#include "driver/held_events.h"
#include "exports.h"
#include "objects/device_list.h"
#include "objects/driver_lists.h"
#include "objects/loans.h"

namespace cl {
namespace {

/// importBuffer(context, flags, bytes, type, fd, devices: Int32Array)
Napi::Value importBuffer(Call& call) {
  const Slot context = call.slot(0, Kind::Context);
  const auto flags = static_cast<cl_mem_flags>(call.flags(1));
  const size_t bytes = call.size(2);
  std::vector<cl_ulong> properties = {call.uint32(3), static_cast<cl_ulong>(static_cast<int64_t>(call.integer(4)))};
  if (properties[0] == 0) invalid("expected a handle type", 3);
  appendDevices(call, 5, properties);
  properties.push_back(0);
  cl_int status = CL_SUCCESS;
  const cl_mem memory = context.runtime->clCreateBufferWithProperties(context.as<cl_context>(), properties.data(),
                                                                      flags, bytes, nullptr, &status);
  check(status, "clCreateBufferWithProperties");
  return call.result(call.environment->handles.add(Kind::Memory, memory, *context.runtime, context.object));
}

template <typename EntryPoint>
Napi::Value enqueue(Call& call, const Slot& queue, const EntryPoint& entry) {
  std::vector<cl_mem> memories;
  for (const Handle handle : call.integers(1)) {
    const Slot& slot = call.environment->handles.get(handle, Kind::Memory, 1);
    if (slot.context != queue.context) throw Failure{"WRONG_CONTEXT", {}, CL_SUCCESS, "memory object", 1};
    noteMemoryUse(slot, queue);
    memories.push_back(slot.as<cl_mem>());
  }
  if (memories.empty()) invalid("expected at least one memory object", 1);
  const auto events = call.events(2, queue.context);
  return enqueueEach(
      call, queue, memories.size(), events, call.boolean(3),
      [&](size_t i, cl_uint waitCount, const cl_event* waitFor, cl_event* event) {
        check(entry(queue.as<cl_command_queue>(), 1, permanentList(memories[i]), waitCount, waitFor, event),
              entry.name);
        noteExtensionCommand(*queue.runtime, queue.as<cl_command_queue>(), events, event == nullptr ? nullptr : *event);
      });
}

/// acquireExternal(queue, memories: Int32Array, waitFor?, wantEvent)
Napi::Value acquireExternal(Call& call) {
  const Slot queue = call.slot(0, Kind::Queue);
  return enqueue(call, queue,
                 extensionsOf(*queue.runtime, queue.as<cl_command_queue>()).clEnqueueAcquireExternalMemObjectsKHR);
}

/// releaseExternal(queue, memories: Int32Array, waitFor?, wantEvent)
Napi::Value releaseExternal(Call& call) {
  const Slot queue = call.slot(0, Kind::Queue);
  return enqueue(call, queue,
                 extensionsOf(*queue.runtime, queue.as<cl_command_queue>()).clEnqueueReleaseExternalMemObjectsKHR);
}

}  // namespace

void addExternalMemoryExports(Exports& exports) {
  exports.add({{"importBuffer", function<importBuffer>},
               {"acquireExternal", function<acquireExternal>},
               {"releaseExternal", function<releaseExternal>}});
}

}  // namespace cl
