// Commands that transfer shared virtual memory.
#include "commands/transfer.h"
#include "exports.h"
#include "objects/driver_lists.h"
#include "objects/svm.h"

namespace cl {
namespace {

/// svmCopy(queue, target | 0, targetOffset, source | 0, sourceOffset, host?, bytes, blocking, waitFor?) -> event unless
/// it blocks. 0 stands for the host array, to which that side's offset then applies.
Napi::Value svmCopy(Call& call) {
  const Slot queue = call.slot(0, Kind::Queue);
  const size_t bytes = call.size(6);
  const bool blocking = call.boolean(7);
  const HostBytes host = call.hostMemory(5, blocking);
  const auto events = call.events(8, queue.context);
  const auto side = [&](size_t i) -> uint8_t* {
    const size_t offset = call.size(i + 1);
    if (call.integer(i) != 0) {
      const Slot& svm = svmSlot(call, i, queue.context);
      uint8_t* pointer = svmPointer(svm, offset, bytes, static_cast<int>(i));
      svmOf(svm)->use(queue);
      return pointer;
    }
    if (offset > host.bytes || bytes > host.bytes - offset) invalid("the host array is too short", 5);
    return host.data + offset;
  };
  uint8_t* target = side(1);
  const uint8_t* source = side(3);
  const bool readsHost = call.integer(3) == 0;
  const bool writesHost = call.integer(1) == 0;
  const WriteWaitList waits(call, queue, readsHost ? HostRange{source, bytes} : HostRange{}, events);
  OptionalEvent event(!blocking);
  check(queue.runtime->clEnqueueSVMMemcpy(queue.as<cl_command_queue>(), blocking, target, source, bytes,
                                          size(waits.events()), data(waits.events()), event.address()),
        "clEnqueueSVMMemcpy");
  return finishTransfer(call, queue, blocking, host, event, writesHost ? HostRange{target, bytes} : HostRange{});
}

/// svmFill(queue, svm, pattern, offset, bytes, waitFor?) -> event
Napi::Value svmFill(Call& call) {
  const Slot queue = call.slot(0, Kind::Queue);
  const Slot svm = svmSlot(call, 1, queue.context);
  const HostBytes pattern = call.bytes(2);
  const size_t bytes = call.size(4);
  uint8_t* pointer = svmPointer(svm, call.size(3), bytes, 4);
  const auto events = call.events(5, queue.context);
  svmOf(svm)->use(queue);
  OptionalEvent event(true);
  check(queue.runtime->clEnqueueSVMMemFill(queue.as<cl_command_queue>(), pointer, pattern.data, pattern.bytes, bytes,
                                           size(events), data(events), event.address()),
        "clEnqueueSVMMemFill");
  return event.result(call, queue);
}

/// svmMigrate(queue, svms: Int32Array, ranges: BigUint64Array of [offset, bytes] for each, flags, waitFor?) -> event
Napi::Value svmMigrate(Call& call) {
  const Slot queue = call.slot(0, Kind::Queue);
  const auto handles = call.integers(1);
  const auto ranges = call.longs(2);
  const auto events = call.events(4, queue.context);
  if (handles.empty() || ranges.size() != 2 * handles.size()) invalid("expected one range for each allocation", 2);
  std::vector<const void*> pointers;
  std::vector<size_t> sizes;
  for (size_t i = 0; i < handles.size(); ++i) {
    const Slot& svm = call.environment->handles.get(handles[i], Kind::Svm, 1);
    if (svm.context != queue.context) throw Failure{"WRONG_CONTEXT", {}, CL_SUCCESS, "svm", 1};
    sizes.push_back(static_cast<size_t>(ranges[2 * i + 1]));
    pointers.push_back(svmPointer(svm, static_cast<size_t>(ranges[2 * i]), sizes[i], 2));
    svmOf(svm)->use(queue);
  }
  const auto flags = static_cast<cl_mem_migration_flags>(call.flags(3));
  return enqueueEach(
      call, queue, handles.size(), events, true,
      [&](size_t i, cl_uint waitCount, const cl_event* waitFor, cl_event* event) {
        check(queue.runtime->clEnqueueSVMMigrateMem(queue.as<cl_command_queue>(), 1, permanentList(pointers[i]),
                                                    permanentCopy(sizes[i]), flags, waitCount, waitFor, event),
              "clEnqueueSVMMigrateMem");
      });
}

}  // namespace

void addSvmTransferExports(Exports& exports) {
  exports.add({{"svmCopy", function<svmCopy>}, {"svmFill", function<svmFill>}, {"svmMigrate", function<svmMigrate>}});
}

}  // namespace cl
