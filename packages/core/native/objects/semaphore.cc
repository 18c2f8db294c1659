#include "objects/semaphore.h"

#include "driver/dependencies.h"
#include "driver/held_events.h"
#include "exports.h"
#include "objects/device_list.h"
#include "objects/queue.h"

namespace cl {
namespace {

// Values of cl_khr_semaphore and cl_khr_external_semaphore.
constexpr cl_ulong kType = 0x203D;
constexpr cl_ulong kBinary = 1;
constexpr cl_ulong kExportHandleTypes = 0x203F;

Napi::Value add(Call& call, const Slot& context, const Extensions& extensions, Semaphore* semaphore) {
  auto record = std::make_shared<SemaphoreRecord>(extensions, semaphore);
  return call.result(
      call.environment->handles.add(Kind::Semaphore, semaphore, *context.runtime, context.object, std::move(record)));
}

std::vector<cl_ulong> semaphoreProperties(Call& call, cl_ulong deviceKey) {
  std::vector<cl_ulong> properties = {kType, kBinary};
  appendDevices(call, 1, properties, deviceKey);
  const std::vector<int32_t> exported = call.integers(2);
  if (!exported.empty()) {
    properties.push_back(kExportHandleTypes);
    for (const int32_t type : exported) properties.push_back(static_cast<cl_ulong>(type));
    properties.push_back(0);
  }
  if (const uint32_t imported = call.uint32(3); imported != 0) {
    properties.push_back(imported);
    properties.push_back(static_cast<cl_ulong>(static_cast<int64_t>(call.integer(4))));
  }
  properties.push_back(0);
  return properties;
}

/// createSemaphore(context, devices: Int32Array, exportTypes: Int32Array, importType: 0 for none, fd)
Napi::Value createSemaphore(Call& call) {
  noteUnknownWaits();
  const Slot context = call.slot(0, Kind::Context);
  const Extensions& extensions = extensionsOf(*context.runtime, context.as<cl_context>());
  const auto& entry = extensions.clCreateSemaphoreWithPropertiesKHR;
  cl_int status = CL_SUCCESS;
  const auto properties = semaphoreProperties(call, kSemaphoreDeviceHandleList);
  Semaphore* semaphore = entry(context.as<cl_context>(), properties.data(), &status);
  if (status == CL_INVALID_PROPERTY && !call.integers(1).empty()) {
    const auto older = semaphoreProperties(call, kDeviceHandleList);
    semaphore = entry(context.as<cl_context>(), older.data(), &status);
  }
  check(status, entry.name);
  return add(call, context, extensions, semaphore);
}

/// Returns the semaphores of an Int32Array of handles. Throws if one belongs to another context than the queue.
std::vector<Semaphore*> semaphores(Call& call, size_t i, const Slot& queue) {
  std::vector<Semaphore*> list;
  const auto position = static_cast<int>(i);
  for (const Handle handle : call.integers(i)) {
    const Slot& slot = call.environment->handles.get(handle, Kind::Semaphore, position);
    if (slot.context != queue.context) throw Failure{"WRONG_CONTEXT", {}, CL_SUCCESS, "semaphore", position};
    list.push_back(semaphoreOf(slot).semaphore);
  }
  if (list.empty()) invalid("expected at least one semaphore", position);
  return list;
}

template <typename EntryPoint>
Napi::Value enqueue(Call& call, const Slot& queue, const EntryPoint& entry) {
  const std::vector<Semaphore*> list = semaphores(call, 1, queue);
  const auto events = call.events(2, queue.context);
  OptionalEvent event(call.boolean(3));
  // Binary semaphores have no payload to set.
  check(entry(queue.as<cl_command_queue>(), static_cast<cl_uint>(list.size()), list.data(), nullptr, size(events),
              data(events), event.address()),
        entry.name);
  noteExtensionCommand(*queue.runtime, queue.as<cl_command_queue>(), events, event.get());
  return event.result(call, queue);
}

/// signalSemaphores(queue, semaphores: Int32Array, waitFor?, wantEvent)
Napi::Value signalSemaphores(Call& call) {
  const Slot queue = call.slot(0, Kind::Queue);
  return enqueue(call, queue, extensionsOf(*queue.runtime, queue.as<cl_command_queue>()).clEnqueueSignalSemaphoresKHR);
}

/// waitSemaphores(queue, semaphores: Int32Array, waitFor?, wantEvent)
Napi::Value waitSemaphores(Call& call) {
  const Slot queue = call.slot(0, Kind::Queue);
  return enqueue(call, queue, extensionsOf(*queue.runtime, queue.as<cl_command_queue>()).clEnqueueWaitSemaphoresKHR);
}

/// exportSemaphore(semaphore, device, type) -> file descriptor, which the caller owns
Napi::Value exportSemaphore(Call& call) {
  const Slot& slot = call.slot(0, Kind::Semaphore);
  const Slot& device = call.slot(1, Kind::Device);
  const SemaphoreRecord& record = semaphoreOf(slot);
  int descriptor = -1;
  check(record.extensions.clGetSemaphoreHandleForTypeKHR(record.semaphore, device.as<cl_device_id>(), call.uint32(2),
                                                         sizeof descriptor, &descriptor, nullptr),
        "clGetSemaphoreHandleForTypeKHR");
  return call.result(static_cast<int32_t>(descriptor));
}

}  // namespace

void addSemaphoreExports(Exports& exports) {
  exports.add({{"createSemaphore", function<createSemaphore>},
               {"signalSemaphores", function<signalSemaphores>},
               {"waitSemaphores", function<waitSemaphores>},
               {"exportSemaphore", function<exportSemaphore>}});
}

}  // namespace cl
