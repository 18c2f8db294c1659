// Handles of shared virtual memory. svm_memory.h describes when it is freed.
//
// Memory that the host may access at any time has one ArrayBuffer over all of it. As for maps, the ArrayBuffer decides,
// not the handle: releasing the handle first detaches the ArrayBuffer, and if that was transferred away the memory
// lives until its new owner is collected.
#include "objects/svm.h"

#include "exports.h"
#include "napi/backing_store.h"
#include "napi/detach.h"
#include "napi/pressure.h"
#include "objects/barrier.h"
#include "objects/memory_object.h"

namespace cl {
namespace {

struct SvmRecord final : Record {
  std::shared_ptr<SvmMemory> memory;
  std::optional<Pressure> pressure;
  /// An ArrayBuffer over the memory exists.
  bool hasArrayBuffer = false;
};

SvmRecord& recordOf(const Slot& svm) { return *static_cast<SvmRecord*>(svm.record.get()); }

/// svmListen(id): sets the completion id under which JavaScript is notified that there is memory to free
Napi::Value svmListen(Call& call) {
  call.environment->requireInitialized();
  if (call.environment->svm) return {};
  const auto svm = std::make_shared<SvmState>(call.environment->channel, call.number(0));
  call.environment->svm = svm;
  call.environment->teardownHooks.push_back([svm](bool quiet) { svm->close(quiet); });
  return {};
}

/// svmReap() -> number of blocks that still wait to be freed
Napi::Value svmReap(Call& call) {
  call.environment->requireInitialized();
  const size_t left = call.environment->svm ? call.environment->svm->reap() : 0;
  return call.result(static_cast<double>(left));
}

Handle addSvm(Call& call, const Slot& context, void* pointer, size_t bytes, std::shared_ptr<void> pin) {
  auto record = std::make_shared<SvmRecord>();
  const Runtime& runtime = *context.runtime;
  try {
    record->memory =
        std::make_shared<SvmMemory>(call.environment->svm, runtime, context.as<cl_context>(), pointer, bytes, pin);
  } catch (const Failure&) {
    if (!pin && pointer != nullptr) runtime.clSVMFree.quietly(context.as<cl_context>(), pointer);
    throw;
  }
  return call.environment->handles.add(Kind::Svm, pointer, runtime, context.object, std::move(record));
}

/// createSvm(context, flags, bytes, alignment). For 0 bytes nothing is allocated and the pointer is null.
Napi::Value createSvm(Call& call) {
  const Slot context = call.slot(0, Kind::Context);
  const auto flags = static_cast<cl_svm_mem_flags>(call.flags(1));
  const size_t bytes = call.size(2);
  if (!call.environment->svm) invalid("svmListen() must be called first");
  const Runtime& runtime = *context.runtime;
  runtime.clSVMFree.require();
  call.environment->svm->reap();
  void* pointer = nullptr;
  if (bytes > 0) {
    pointer = runtime.clSVMAlloc(context.as<cl_context>(), flags, bytes, call.uint32(3));
    // clSVMAlloc returns no status.
    if (pointer == nullptr) check(CL_MEM_OBJECT_ALLOCATION_FAILURE, "clSVMAlloc");
  }
  const Handle handle = addSvm(call, context, pointer, bytes, {});
  // Last, since reporting memory may collect garbage.
  const std::shared_ptr<Record> record = call.environment->handles.get(handle, Kind::Svm).record;
  static_cast<SvmRecord&>(*record).pressure.emplace(call.env, bytes);
  return call.result(handle);
}

/// wrapSvm(context, host: typed array): uses host memory, on devices that can access any
Napi::Value wrapSvm(Call& call) {
  const Slot context = call.slot(0, Kind::Context);
  const HostBytes host = call.hostMemory(1, false);
  if (!call.environment->svm) invalid("svmListen() must be called first");
  std::shared_ptr<void> pin = pinBackingStore(call.environment->channel, host.arrayBuffer);
  if (!pin) throw Failure{"NOT_SUPPORTED", "system SVM", CL_SUCCESS, "an engine whose ArrayBuffers can be pinned", -1};
  return call.result(addSvm(call, context, host.data, host.bytes, std::move(pin)));
}

/// svmMemory(svm) -> the ArrayBuffer over all of it. Call it once.
Napi::Value svmMemory(Call& call) {
  SvmRecord& record = recordOf(call.slot(0, Kind::Svm));
  if (record.hasArrayBuffer) invalid("this allocation already has an ArrayBuffer", 0);
  const Napi::Value buffer = memoryOf(call.env, record.memory->pointer, record.memory->bytes, record.memory);
  record.hasArrayBuffer = true;
  return buffer;
}

}  // namespace

bool detachSvm(Call& call, const Slot& svm, size_t position) {
  SvmRecord& record = recordOf(svm);
  if (!record.hasArrayBuffer) return true;
  // The ArrayBuffer was collected, but its finalizer may not have run.
  if (!call.has(position)) return false;
  if (!isAttached(call, position, record.memory->pointer)) return false;
  if (!detach(call, position))
    invalid("the ArrayBuffer was marked as untransferable, so its memory cannot be released before it is collected",
            static_cast<int>(position));
  record.hasArrayBuffer = false;
  return true;
}

namespace {

/// releaseSvm(svm, memory: ArrayBuffer | undefined)
Napi::Value releaseSvm(Call& call) {
  const bool detached = detachSvm(call, call.slot(0, Kind::Svm), 1) || !call.has(1);
  call.environment->handles.release(call.integer(0));
  call.environment->svm->reap();
  if (!detached) throw Failure{"ESCAPED", {}, CL_SUCCESS, {}, 1};
  return {};
}

/// bindSvm(svm, queue | 0). The new queue's later commands wait for all commands of the old queue.
Napi::Value bindSvm(Call& call) {
  const Slot svm = call.slot(0, Kind::Svm);
  SvmMemory& memory = *svmOf(svm);
  if (call.integer(1) == 0) {
    // The queue remains among the users: its last command may not have ended.
    memory.bind(nullptr);
    return {};
  }
  const Slot queue = call.slot(1, Kind::Queue);
  if (queue.context != svm.context) throw Failure{"WRONG_CONTEXT", {}, CL_SUCCESS, "queue", 1};
  const auto next = queue.as<cl_command_queue>();
  if (memory.bound != nullptr && memory.bound != next) {
    const Checkpoint last(*svm.runtime, memory.bound);
    const cl_event event = last.event();
    enqueueBarrier(queue, {event});
    std::erase(memory.users, memory.bound);
  }
  memory.bind(next);
  // Not a real use, but the queue must report its end.
  memory.use(queue);
  return {};
}

/// enqueueSvmFree(svm, queue, memory: ArrayBuffer | undefined, waitFor?) -> event. Releases the handle.
Napi::Value enqueueSvmFree(Call& call) {
  const Slot queue = call.slot(1, Kind::Queue);
  const Slot svm = svmSlot(call, 0, queue.context);
  const auto events = call.events(3, queue.context);
  const bool detached = detachSvm(call, svm, 2);
  // The memory may be shared with maps, kernels or buffers, which then decide when it is freed. This reference and the
  // record's are two.
  const std::shared_ptr<SvmMemory> memory = recordOf(svm).memory;
  cl_event event = nullptr;
  // The record is referenced by the slot and by the copy of the slot above.
  const bool isSoleOwner = svm.record.use_count() <= 2 && memory.use_count() <= 2;
  if (detached && isSoleOwner && memory->pointer != nullptr && !memory->pin)
    event = call.environment->svm->enqueueFree(*memory, queue.as<cl_command_queue>(), events);
  else
    check(queue.runtime->clEnqueueMarkerWithWaitList(queue.as<cl_command_queue>(), size(events), data(events), &event),
          "clEnqueueMarkerWithWaitList");
  const Handle result = call.environment->handles.add(Kind::Event, event, *queue.runtime, queue.context);
  call.environment->handles.release(call.integer(0));
  if (!detached) {
    call.environment->handles.recycle(result);
    throw Failure{"ESCAPED", {}, CL_SUCCESS, {}, 2};
  }
  return call.result(result);
}

/// createSvmBuffer(svm, flags, offset, bytes): creates a buffer over the memory, which it shares
Napi::Value createSvmBuffer(Call& call) {
  const Slot svm = call.slot(0, Kind::Svm);
  const size_t bytes = call.size(3);
  uint8_t* pointer = svmPointer(svm, call.size(2), bytes, 3);
  auto pin = std::make_shared<SvmPin>(svmOf(svm));
  cl_int status = CL_SUCCESS;
  const cl_mem memory = svm.runtime->clCreateBuffer(static_cast<cl_context>(svm.context),
                                                    static_cast<cl_mem_flags>(call.flags(1)) | CL_MEM_USE_HOST_PTR,
                                                    bytes, pointer, &status);
  check(status, "clCreateBuffer");
  return call.result(addMemory(call, memory, *svm.runtime, svm.context, std::move(pin), bytes));
}

}  // namespace

const Slot& svmSlot(Call& call, size_t i, void* context) {
  const Slot& slot = call.slot(i, Kind::Svm);
  if (slot.context != context) throw Failure{"WRONG_CONTEXT", {}, CL_SUCCESS, "svm", static_cast<int>(i)};
  return slot;
}

const std::shared_ptr<SvmMemory>& svmOf(const Slot& svm) { return recordOf(svm).memory; }

uint8_t* svmPointer(const Slot& svm, size_t offset, size_t bytes, int position) {
  const SvmMemory& memory = *svmOf(svm);
  if (offset > memory.bytes || bytes > memory.bytes - offset)
    invalid("the range ends outside the allocation", position);
  return static_cast<uint8_t*>(memory.pointer) + offset;
}

void addSvmExports(Exports& exports) {
  exports.add({{"svmListen", function<svmListen>},
               {"svmReap", function<svmReap>},
               {"createSvm", function<createSvm>},
               {"wrapSvm", function<wrapSvm>},
               {"svmMemory", function<svmMemory>},
               {"releaseSvm", function<releaseSvm>},
               {"bindSvm", function<bindSvm>},
               {"enqueueSvmFree", function<enqueueSvmFree>},
               {"createSvmBuffer", function<createSvmBuffer>}});
}

}  // namespace cl
