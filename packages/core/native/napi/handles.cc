#include "napi/handles.h"

#include "driver/held_events.h"
#include "driver/known_objects.h"

namespace cl {
namespace {

void failUserEvent(Slot& slot) {
  slot.userEvent = false;
  if (slot.runtime->clSetUserEventStatus)
    endUserEvent(*slot.runtime, slot.as<cl_event>(), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  userEventEnded(slot.as<cl_event>());
}

/// Releases the slot's reference. A failure is ignored, since nothing can be done about it.
void releaseObject(const Slot& slot) {
  const Runtime& runtime = *slot.runtime;
  switch (slot.kind) {
    case Kind::Device:
      // No effect on root devices; releases a sub-device.
      runtime.clReleaseDevice.quietly(slot.as<cl_device_id>());
      break;
    case Kind::Context:
      runtime.clReleaseContext.quietly(slot.as<cl_context>());
      break;
    case Kind::Queue:
      runtime.clReleaseCommandQueue.quietly(slot.as<cl_command_queue>());
      break;
    case Kind::Event:
      runtime.clReleaseEvent.quietly(slot.as<cl_event>());
      break;
    case Kind::Memory:
      runtime.clReleaseMemObject.quietly(slot.as<cl_mem>());
      break;
    case Kind::Sampler:
      runtime.clReleaseSampler.quietly(slot.as<cl_sampler>());
      break;
    case Kind::Program:
      runtime.clReleaseProgram.quietly(slot.as<cl_program>());
      break;
    case Kind::Kernel:
      runtime.clReleaseKernel.quietly(slot.as<cl_kernel>());
      break;
    case Kind::Semaphore:      // Released by its record, which has the platform's functions.
    case Kind::CommandBuffer:  // Released by its record.
    case Kind::Svm:            // Freed by its record, which knows the queues.
    case Kind::Map:            // Unmapped by its record.
    case Kind::List:           // Has only a record.
    case Kind::Statistics:     // Has only a record.
    case Kind::Trace:          // Has only a record.
    case Kind::Relay:          // Has only a record.
    case Kind::Platform:
    case Kind::None:
      break;
  }
}

}  // namespace

const char* kindName(Kind kind) {
  static constexpr const char* names[kKindCount] = {
      "nothing", "platform",  "device",         "context",    "queue",          "event",
      "memory",  "sampler",   "program",        "kernel",     "SVM allocation", "list",
      "map",     "semaphore", "command buffer", "statistics", "trace",          "relay"};
  return names[static_cast<size_t>(kind)];
}

HandleTable::HandleTable() { slots_.resize(1); /* Index 0 is never valid. */ }

Handle HandleTable::add(Kind kind, void* object, const Runtime& runtime, void* context,
                        std::shared_ptr<Record> record) {
  uint32_t index = firstFree_;
  if (index != 0) {
    firstFree_ = slots_[index].nextFree;
  } else {
    index = static_cast<uint32_t>(slots_.size());
    if (index > kIndexMask) {
      Slot rejected;
      rejected.object = object;
      rejected.runtime = &runtime;
      rejected.kind = kind;
      releaseObject(rejected);
      throw Failure{"TOO_MANY_OBJECTS", {}, CL_SUCCESS, std::to_string(kIndexMask), -1};
    }
    slots_.emplace_back();
  }
  Slot& slot = slots_[index];
  slot.object = object;
  slot.runtime = &runtime;
  slot.context = context;
  slot.record = std::move(record);
  slot.kind = kind;
  slot.alive = true;
  slot.userEvent = false;
  slot.exposed = false;
  slot.uses = 0;
  slot.imageOverBuffer = false;
  slot.loanState = nullptr;
  slot.dependsOn = nullptr;
  ++counts_[static_cast<size_t>(kind)];
  return static_cast<Handle>(slot.generation << kIndexBits | index);
}

Slot* HandleTable::peek(Handle handle) {
  const uint32_t bits = static_cast<uint32_t>(handle);
  const uint32_t index = bits & kIndexMask;
  if (index == 0 || index >= slots_.size()) return nullptr;
  Slot& slot = slots_[index];
  return slot.generation == bits >> kIndexBits && slot.kind != Kind::None ? &slot : nullptr;
}

Slot& HandleTable::lookUp(Handle handle, Kind kind, int position) {
  if (Slot* slot = find(handle, kind)) return *slot;
  const Slot* slot = peek(handle);
  if (slot == nullptr) throw Failure{"DISPOSED", {}, CL_SUCCESS, kindName(kind), position};
  if (slot->kind != kind) throw Failure{"WRONG_KIND", kindName(slot->kind), CL_SUCCESS, kindName(kind), position};
  throw Failure{"DISPOSED", {}, CL_SUCCESS, kindName(kind), position};
}

void HandleTable::drop(Slot& slot) {
  if (slot.userEvent) failUserEvent(slot);
  slot.alive = false;
  --counts_[static_cast<size_t>(slot.kind)];
  if (slot.kind != Kind::Event) ++epoch_;
  if (slot.record) slot.record->onRelease(slot);
  // Before the release, since the driver may then reuse the address for another object.
  if (slot.exposed) dropObject(slot.object);
  releaseObject(slot);
  slot.object = nullptr;
  // Moved out of the slot first: a record's destructor may access the table.
  const std::shared_ptr<Record> record = std::move(slot.record);
}

bool HandleTable::release(Handle handle) {
  Slot* slot = peek(handle);
  if (slot == nullptr || !slot->alive) return false;
  drop(*slot);
  return true;
}

void HandleTable::recycle(Handle handle) {
  Slot* slot = peek(handle);
  if (slot == nullptr) return;
  if (slot->alive) drop(*slot);
  slot->kind = Kind::None;
  slot->context = nullptr;
  slot->generation = (slot->generation + 1) & kGenerationMask;
  slot->nextFree = firstFree_;
  firstFree_ = static_cast<uint32_t>(handle) & kIndexMask;
}

void HandleTable::failUserEvents() {
  for (Slot& slot : slots_) {
    if (slot.alive && slot.userEvent) failUserEvent(slot);
  }
}

void HandleTable::releaseAll() {
  static constexpr Kind order[] = {Kind::Relay,   Kind::CommandBuffer, Kind::Semaphore,  Kind::List,
                                   Kind::Event,   Kind::Map,           Kind::Kernel,     Kind::Program,
                                   Kind::Sampler, Kind::Memory,        Kind::Svm,        Kind::Queue,
                                   Kind::Context, Kind::Device,        Kind::Statistics, Kind::Trace};
  static_assert(std::size(order) == kKindCount - 2, "all kinds but None and Platform, which are not released");
  for (const Kind kind : order) {
    for (Slot& slot : slots_) {
      if (slot.alive && slot.kind == kind) drop(slot);
    }
  }
}

}  // namespace cl
