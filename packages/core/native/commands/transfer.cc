// Lifetime rule: a non-blocking command pins the backing store of its host memory until its event completes. If pinning
// is not available, TypeScript holds the array instead (src/binding/pin.ts).
#include "commands/transfer.h"

#include "exports.h"
#include "napi/backing_store.h"
#include "objects/driver_lists.h"
#include "objects/loans.h"
#include "objects/queue_record.h"
#include "objects/rectangle.h"

namespace cl {
namespace {

/// Holds the memory of a command until it has completed; a driver thread then drops it.
void holdUntilComplete(Call& call, const Slot& queue, cl_event event, HostRange written, std::shared_ptr<void> memory) {
  try {
    std::shared_ptr<void> read = notePendingRead(queue, event, written, memory);
    if (std::shared_ptr<void> held = read ? std::move(read) : memory)
      call.environment->channel->watch(*queue.runtime, event, CL_COMPLETE, 0, std::move(held));
  } catch (const Failure&) {
    // Without a callback, the memory cannot be dropped in time. After the end, nothing reads too early either.
    finishOrLeak(queue, std::move(memory));
  }
}

}  // namespace

Napi::Value finishTransfer(Call& call, const Slot& queue, bool blocking, const HostBytes& host,
                           const OptionalEvent& event, HostRange written) {
  if (blocking) return event.result(call, queue);
  holdUntilComplete(call, queue, event.get(), written, pinBackingStore(call.environment->channel, host.arrayBuffer));
  return event.result(call, queue);
}

Slot memory(Call& call, size_t i, const Slot& queue) {
  const Slot& slot = call.slot(i, Kind::Memory);
  if (slot.context != queue.context) throw Failure{"WRONG_CONTEXT", {}, CL_SUCCESS, "memory", static_cast<int>(i)};
  noteMemoryUse(slot, queue);
  return slot;
}

namespace {

/// readBuffer, writeBuffer: (queue, buffer, offset, host, hostOffset, bytes, blocking, waitFor?)
template <bool Reading>
Napi::Value linear(Call& call) {
  const Slot queue = call.slot(0, Kind::Queue);
  const Slot buffer = memory(call, 1, queue);
  const size_t offset = call.size(2);
  const size_t hostOffset = call.size(4);
  const size_t bytes = call.size(5);
  const bool blocking = call.boolean(6);
  const HostBytes host = call.hostMemory(3, blocking);
  const auto events = call.events(7, queue.context);
  if (hostOffset > host.bytes || bytes > host.bytes - hostOffset) invalid("the host array is too short", 3);
  const HostRange range{host.data + hostOffset, bytes};
  OptionalEvent event(!blocking);
  const Runtime& runtime = *queue.runtime;
  if constexpr (Reading) {
    check(runtime.clEnqueueReadBuffer(queue.as<cl_command_queue>(), buffer.as<cl_mem>(), blocking, offset, bytes,
                                      host.data + hostOffset, size(events), data(events), event.address()),
          "clEnqueueReadBuffer");
  } else {
    const WriteWaitList waits(call, queue, range, events);
    check(runtime.clEnqueueWriteBuffer(queue.as<cl_command_queue>(), buffer.as<cl_mem>(), blocking, offset, bytes,
                                       host.data + hostOffset, size(waits.events()), data(waits.events()),
                                       event.address()),
          "clEnqueueWriteBuffer");
  }
  if (blocking && queueRecord(queue).inOrder) noteEmpty(queue);
  return finishTransfer(call, queue, blocking, host, event, Reading ? range : HostRange{});
}

/// readRectangle, writeRectangle: (queue, buffer, host, hostOffset, blocking, waitFor?). The rectangle's first side is
/// the buffer, the second the host.
template <bool Reading>
Napi::Value rectangle(Call& call) {
  const Slot queue = call.slot(0, Kind::Queue);
  const Slot buffer = memory(call, 1, queue);
  const size_t hostOffset = call.size(3);
  const bool blocking = call.boolean(4);
  const HostBytes host = call.hostMemory(2, blocking);
  const auto events = call.events(5, queue.context);
  const Rectangle r(call.environment->numbers());
  // The array's declared length may be wrong, so the sizes are checked here.
  if (hostOffset > host.bytes ||
      !(Rectangle::secondEnd(call.environment->numbers()) <= static_cast<double>(host.bytes - hostOffset)))
    invalid("the host array is too short", 2);
  const HostRange range{host.data + hostOffset, host.bytes - hostOffset};
  OptionalEvent event(!blocking);
  const Runtime& runtime = *queue.runtime;
  if constexpr (Reading) {
    check(runtime.clEnqueueReadBufferRect(queue.as<cl_command_queue>(), buffer.as<cl_mem>(), blocking, r.first,
                                          r.second, r.region, r.firstRow, r.firstSlice, r.secondRow, r.secondSlice,
                                          host.data + hostOffset, size(events), data(events), event.address()),
          "clEnqueueReadBufferRect");
  } else {
    const WriteWaitList waits(call, queue, range, events);
    check(runtime.clEnqueueWriteBufferRect(queue.as<cl_command_queue>(), buffer.as<cl_mem>(), blocking, r.first,
                                           r.second, r.region, r.firstRow, r.firstSlice, r.secondRow, r.secondSlice,
                                           host.data + hostOffset, size(waits.events()), data(waits.events()),
                                           event.address()),
          "clEnqueueWriteBufferRect");
  }
  return finishTransfer(call, queue, blocking, host, event, Reading ? range : HostRange{});
}

/// copyBuffer(queue, source, target, sourceOffset, targetOffset, bytes, waitFor?, wantEvent)
Napi::Value copyBuffer(Call& call) {
  const Slot queue = call.slot(0, Kind::Queue);
  const Slot source = memory(call, 1, queue);
  const Slot target = memory(call, 2, queue);
  const auto events = call.events(6, queue.context);
  OptionalEvent event(call.boolean(7));
  check(queue.runtime->clEnqueueCopyBuffer(queue.as<cl_command_queue>(), source.as<cl_mem>(), target.as<cl_mem>(),
                                           call.size(3), call.size(4), call.size(5), size(events), data(events),
                                           event.address()),
        "clEnqueueCopyBuffer");
  return event.result(call, queue);
}

/// copyRectangle(queue, source, target, waitFor?, wantEvent). The rectangle's first side is the source.
Napi::Value copyRectangle(Call& call) {
  const Slot queue = call.slot(0, Kind::Queue);
  const Slot source = memory(call, 1, queue);
  const Slot target = memory(call, 2, queue);
  const auto events = call.events(3, queue.context);
  const Rectangle r(call.environment->numbers());
  OptionalEvent event(call.boolean(4));
  check(queue.runtime->clEnqueueCopyBufferRect(queue.as<cl_command_queue>(), source.as<cl_mem>(), target.as<cl_mem>(),
                                               r.first, r.second, r.region, r.firstRow, r.firstSlice, r.secondRow,
                                               r.secondSlice, size(events), data(events), event.address()),
        "clEnqueueCopyBufferRect");
  return event.result(call, queue);
}

/// fillBuffer(queue, buffer, pattern, offset, bytes, waitFor?, wantEvent)
Napi::Value fillBuffer(Call& call) {
  const Slot queue = call.slot(0, Kind::Queue);
  const Slot buffer = memory(call, 1, queue);
  const HostBytes pattern = call.bytes(2);
  const auto events = call.events(5, queue.context);
  OptionalEvent event(call.boolean(6));
  check(
      queue.runtime->clEnqueueFillBuffer(queue.as<cl_command_queue>(), buffer.as<cl_mem>(), pattern.data, pattern.bytes,
                                         call.size(3), call.size(4), size(events), data(events), event.address()),
      "clEnqueueFillBuffer");
  return event.result(call, queue);
}

/// migrate(queue, memories: Int32Array, flags, waitFor?, wantEvent)
Napi::Value migrate(Call& call) {
  const Slot queue = call.slot(0, Kind::Queue);
  std::vector<cl_mem> memories;
  for (const Handle handle : call.integers(1)) {
    const Slot& slot = call.environment->handles.get(handle, Kind::Memory, 1);
    if (slot.context != queue.context) throw Failure{"WRONG_CONTEXT", {}, CL_SUCCESS, "memory", 1};
    noteMemoryUse(slot, queue);
    memories.push_back(slot.as<cl_mem>());
  }
  const auto events = call.events(3, queue.context);
  const auto flags = static_cast<cl_mem_migration_flags>(call.flags(2));
  return enqueueEach(
      call, queue, memories.size(), events, call.boolean(4),
      [&](size_t i, cl_uint waitCount, const cl_event* waitFor, cl_event* event) {
        check(queue.runtime->clEnqueueMigrateMemObjects(queue.as<cl_command_queue>(), 1, permanentList(memories[i]),
                                                        flags, waitCount, waitFor, event),
              "clEnqueueMigrateMemObjects");
      });
}

Napi::Value canPin(Call& call) { return call.result(canPinBackingStores()); }

}  // namespace

void addTransferExports(Exports& exports) {
  exports.add({{"readBuffer", function<linear<true>>},
               {"writeBuffer", function<linear<false>>},
               {"readRectangle", function<rectangle<true>>},
               {"writeRectangle", function<rectangle<false>>},
               {"copyBuffer", function<copyBuffer>},
               {"copyRectangle", function<copyRectangle>},
               {"fillBuffer", function<fillBuffer>},
               {"migrate", function<migrate>},
               {"canPin", function<canPin>}});
}

}  // namespace cl
