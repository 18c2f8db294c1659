// Lifetime rules:
//  - A mapping ends when it is unmapped, when its ArrayBuffer is collected, or when the environment is torn down,
//    whichever comes first. The ArrayBuffer counts, not the wrapper: existing views must stay valid.
//  - unmap() detaches the ArrayBuffer first, so that every view over it is empty before the driver takes the memory.
//  - A transferred ArrayBuffer cannot be detached: the mapping then lasts until the new owner is collected, and unmap()
//    throws ESCAPED.
//  - The finalizer below runs on the JavaScript thread when V8 drops the backing store, which moves with a transferred
//    ArrayBuffer.
#include "commands/map.h"

#include <cstring>

#include "commands/transfer.h"
#include "exports.h"
#include "napi/backing_store.h"
#include "napi/detach.h"
#include "napi/landing_memory.h"
#include "objects/loans.h"
#include "objects/svm.h"

namespace cl {
namespace {

struct MapRecord final : Record {
  const Runtime* runtime = nullptr;
  cl_command_queue queue = nullptr;
  /// What is mapped: either the memory object or the SVM.
  cl_mem memory = nullptr;
  std::shared_ptr<SvmMemory> svm;
  /// Keeps a pooled block from being reused while the map exists.
  std::shared_ptr<void> share;
  /// The allocation's `unmaps` when this map was created.
  uint64_t unmapsBefore = 0;
  void* pointer = nullptr;
  size_t bytes = 0;
  bool mapped = false;
  /// An ArrayBuffer over the memory was created.
  bool hasArrayBuffer = false;

  /// Enqueues the unmap and returns the driver's status.
  cl_int unmap(const std::vector<cl_event>& events, cl_event* event) {
    cl_int status = svm ? runtime->clEnqueueSVMUnmap(queue, pointer, size(events), data(events), event)
                        : runtime->clEnqueueUnmapMemObject(queue, memory, pointer, size(events), data(events), event);
    // NVIDIA's driver ends all maps of an address with the first unmap, so later unmaps only need their event.
    if (svm && status == CL_INVALID_VALUE && svm->unmaps > unmapsBefore)
      status = runtime->clEnqueueMarkerWithWaitList(queue, size(events), data(events), event);
    if (status != CL_SUCCESS) return status;
    mapped = false;
    share = nullptr;
    if (svm) ++svm->unmaps;
    return status;
  }
  /// Unmaps if that has not happened, or again if it failed.
  ~MapRecord() override {
    if (mapped && svm) runtime->clEnqueueSVMUnmap.quietly(queue, pointer, 0, nullptr, nullptr);
    if (mapped && !svm) runtime->clEnqueueUnmapMemObject.quietly(queue, memory, pointer, 0, nullptr, nullptr);
    if (memory != nullptr) runtime->clReleaseMemObject.quietly(memory);
    if (queue != nullptr) runtime->clReleaseCommandQueue.quietly(queue);
  }
};

/// mapBuffer(queue, buffer, flags, offset, bytes, blocking, waitFor?) -> [map, event or 0]
Napi::Value mapBuffer(Call& call) {
  const Slot queue = call.slot(0, Kind::Queue);
  const Slot buffer = memory(call, 1, queue);
  const auto flags = static_cast<cl_map_flags>(call.flags(2));
  const size_t offset = call.size(3);
  const size_t length = call.size(4);
  const bool blocking = call.boolean(5);
  const auto events = call.events(6, queue.context);
  return mapWith(
      call, queue, buffer, blocking, "clEnqueueMapBuffer", [&](size_t& bytes, cl_event* event, cl_int* status) {
        bytes = length;
        return queue.runtime->clEnqueueMapBuffer(queue.as<cl_command_queue>(), buffer.as<cl_mem>(), blocking, flags,
                                                 offset, bytes, size(events), data(events), event, status);
      });
}

/// mapSvm(queue, svm, flags, offset, bytes, blocking, waitFor?) -> [map, event or 0]
Napi::Value mapSvm(Call& call) {
  const Slot queue = call.slot(0, Kind::Queue);
  const Slot svm = call.slot(1, Kind::Svm);
  if (svm.context != queue.context) throw Failure{"WRONG_CONTEXT", {}, CL_SUCCESS, "svm", 1};
  const bool blocking = call.boolean(5);
  const auto events = call.events(6, queue.context);
  const Runtime& runtime = *queue.runtime;
  auto record = std::make_shared<MapRecord>();
  record->runtime = &runtime;
  record->bytes = call.size(4);
  record->pointer = svmPointer(svm, call.size(3), record->bytes, 4);
  record->svm = svmOf(svm);
  record->unmapsBefore = record->svm->unmaps;
  record->svm->use(queue);
  if (svm.loanState) record->share = svm.loanState->share();
  check(runtime.clRetainCommandQueue(queue.as<cl_command_queue>()), "clRetainCommandQueue");
  record->queue = queue.as<cl_command_queue>();
  cl_event event = nullptr;
  check(runtime.clEnqueueSVMMap(record->queue, blocking, static_cast<cl_map_flags>(call.flags(2)), record->pointer,
                                record->bytes, size(events), data(events), blocking ? nullptr : &event),
        "clEnqueueSVMMap");
  record->mapped = true;
  HandleTable& handles = call.environment->handles;
  std::vector<Handle> result{handles.add(Kind::Map, record.get(), runtime, queue.context, record), 0};
  if (event != nullptr) result[1] = handles.add(Kind::Event, event, runtime, queue.context);
  return call.result(result);
}

/// Returns the record of a handle of kind Map, which maps and landings share.
template <typename R>
R& recordOf(const Slot& slot) {
  if (auto* record = dynamic_cast<R*>(slot.record.get())) return *record;
  throw Failure{"WRONG_KIND", "map", CL_SUCCESS, "map of another kind", 0};
}

/// mapMemory(map) -> the ArrayBuffer over the mapped bytes. Call it once, after the map has completed.
Napi::Value mapMemory(Call& call) {
  const Slot& slot = call.slot(0, Kind::Map);
  MapRecord& record = recordOf<MapRecord>(slot);
  if (record.hasArrayBuffer) invalid("this map already has an ArrayBuffer", 0);
  const Napi::Value buffer = memoryOf(call.env, record.pointer, record.bytes, slot.record);
  record.hasArrayBuffer = true;
  return buffer;
}

/// unmap(map, memory: ArrayBuffer | undefined, waitFor?) -> event. Releases the map's handle.
Napi::Value unmap(Call& call) {
  const Slot slot = call.slot(0, Kind::Map);
  MapRecord& record = recordOf<MapRecord>(slot);
  const auto events = call.events(2, slot.context);
  if (call.has(1) || record.hasArrayBuffer) {
    if (!isAttached(call, 1, record.pointer)) {
      call.environment->handles.release(call.integer(0));
      throw Failure{"ESCAPED", {}, CL_SUCCESS, {}, 1};
    }
    if (!detach(call, 1))
      invalid("the mapped ArrayBuffer was marked as untransferable, so it stays mapped until it is collected", 1);
  }
  cl_event event = nullptr;
  const cl_int status = record.unmap(events, &event);
  const Runtime& runtime = *slot.runtime;
  const char* routine = record.svm ? "clEnqueueSVMUnmap" : "clEnqueueUnmapMemObject";
  void* context = slot.context;
  call.environment->handles.release(call.integer(0));
  check(status, routine);
  return call.result(call.environment->handles.add(Kind::Event, event, runtime, context));
}

/// readLanding(queue, buffer, offset, bytes, waitFor?) -> [landing, event]
Napi::Value readLanding(Call& call) {
  const Slot queue = call.slot(0, Kind::Queue);
  const Slot buffer = memory(call, 1, queue);
  const size_t offset = call.size(2);
  const size_t bytes = call.size(3);
  const auto events = call.events(4, queue.context);
  return landWith(call, queue, bytes, "clEnqueueReadBuffer", [&](void* target, cl_event* event) {
    return queue.runtime->clEnqueueReadBuffer(queue.as<cl_command_queue>(), buffer.as<cl_mem>(), CL_FALSE, offset,
                                              bytes, target, size(events), data(events), event);
  });
}

/// takeLanding(landing, bytes) -> the ArrayBuffer, without a copy. Call it only after the read has completed.
Napi::Value takeLanding(Call& call) {
  const Slot slot = call.slot(0, Kind::Map);
  LandingRecord& record = recordOf<LandingRecord>(slot);
  const size_t bytes = call.size(1);
  if (bytes > record.bytes) invalid("the landing has fewer bytes", 1);
  Napi::Value buffer = adoptMemory(call.env, record.data, bytes, freeLanding);
  if (!buffer.IsEmpty()) {
    record.data = nullptr;
  } else {
    try {
      buffer = memoryOf(call.env, record.data, bytes, slot.record);
    } catch (const Failure&) {
      // Electron refuses external ArrayBuffers: copy.
      auto copy = Napi::ArrayBuffer::New(call.env, bytes);
      std::memcpy(copy.Data(), record.data, bytes);
      buffer = copy;
    }
  }
  call.environment->handles.release(call.integer(0));
  return buffer;
}

}  // namespace

Napi::Value mapWith(Call& call, const Slot& queue, const Slot& memory, bool blocking, const char* routine,
                    const EnqueueMap& enqueue) {
  const Runtime& runtime = *queue.runtime;
  auto record = std::make_shared<MapRecord>();
  record->runtime = &runtime;
  check(runtime.clRetainMemObject(memory.as<cl_mem>()), "clRetainMemObject");
  record->memory = memory.as<cl_mem>();
  if (memory.loanState) record->share = memory.loanState->share();
  check(runtime.clRetainCommandQueue(queue.as<cl_command_queue>()), "clRetainCommandQueue");
  record->queue = queue.as<cl_command_queue>();
  cl_event event = nullptr;
  cl_int status = CL_SUCCESS;
  record->pointer = enqueue(record->bytes, blocking ? nullptr : &event, &status);
  check(status, routine);
  record->mapped = true;
  HandleTable& handles = call.environment->handles;
  std::vector<Handle> result{handles.add(Kind::Map, record.get(), runtime, queue.context, record), 0};
  if (event != nullptr) result[1] = handles.add(Kind::Event, event, runtime, queue.context);
  return call.result(result);
}

Napi::Value landWith(Call& call, const Slot& queue, size_t bytes, const char* routine, const EnqueueRead& enqueue) {
  auto record = std::make_shared<LandingRecord>(bytes);
  cl_event event = nullptr;
  check(enqueue(record->data, &event), routine);
  try {
    // The watch's pin keeps the memory alive if JavaScript drops the landing.
    call.environment->channel->watch(*queue.runtime, event, CL_COMPLETE, 0, record);
  } catch (const Failure&) {
    // Without a callback, the memory cannot be freed in time.
    finishOrLeak(queue, record);
    queue.runtime->clReleaseEvent.quietly(event);
    throw;
  }
  HandleTable& handles = call.environment->handles;
  const Handle landing = handles.add(Kind::Map, record.get(), *queue.runtime, queue.context, record);
  return call.result(std::vector<Handle>{landing, handles.add(Kind::Event, event, *queue.runtime, queue.context)});
}

void addMapExports(Exports& exports) {
  exports.add({{"mapBuffer", function<mapBuffer>},
               {"mapSvm", function<mapSvm>},
               {"mapMemory", function<mapMemory>},
               {"unmap", function<unmap>},
               {"readLanding", function<readLanding>},
               {"takeLanding", function<takeLanding>}});
}

}  // namespace cl
