#include "objects/memory_object.h"

#include "driver/known_objects.h"
#include "exports.h"
#include "napi/backing_store.h"
#include "napi/pressure.h"

namespace cl {
namespace {

struct Destruction {
  std::shared_ptr<void> pin;
  std::shared_ptr<Channel> channel;
  double id = 0;
};

void CL_CALLBACK onDestroyed(cl_mem, void* data) {
  const std::unique_ptr<Destruction> destruction(static_cast<Destruction*>(data));
  if (destruction->channel) destruction->channel->post({destruction->id, 0, {}});
}

struct PressureRecord final : Record {
  PressureRecord(Napi::Env env, size_t bytes) : pressure(env, bytes) {}
  Pressure pressure;
};

void whenDestroyed(const Runtime& runtime, cl_mem memory, std::unique_ptr<Destruction> destruction) {
  check(runtime.clSetMemObjectDestructorCallback(memory, onDestroyed, destruction.get()),
        "clSetMemObjectDestructorCallback");
  destruction.release();
}

/// watchDestruction(memory, id)
Napi::Value watchDestruction(Call& call) {
  const Slot& memory = call.slot(0, Kind::Memory);
  auto destruction = std::make_unique<Destruction>();
  destruction->channel = call.environment->channel;
  destruction->id = call.number(1);
  whenDestroyed(*memory.runtime, memory.as<cl_mem>(), std::move(destruction));
  return {};
}

}  // namespace

std::shared_ptr<void> pinForUse(Call& call, cl_mem_flags flags, const HostBytes& host) {
  if ((flags & CL_MEM_USE_HOST_PTR) == 0) return {};
  std::shared_ptr<void> pin = pinBackingStore(call.environment->channel, host.arrayBuffer);
  if (!pin)
    throw Failure{"NOT_SUPPORTED", "USE_HOST_PTR", CL_SUCCESS, "an engine whose ArrayBuffers can be pinned", -1};
  struct UsedMemory {
    std::shared_ptr<void> pin;
    ScriptMemory memory;
    UsedMemory(std::shared_ptr<void> pin_, const HostBytes& host)
        : pin(std::move(pin_)), memory(host.data, host.bytes) {}
  };
  return std::make_shared<UsedMemory>(std::move(pin), host);
}

Handle addMemory(Call& call, cl_mem memory, const Runtime& runtime, void* context, std::shared_ptr<void> pin,
                 size_t bytes, bool isOwnMemory) {
  HandleTable& handles = call.environment->handles;
  const Handle handle = handles.add(Kind::Memory, memory, runtime, context);
  const bool pinned = pin != nullptr;
  if (pin) {
    auto destruction = std::make_unique<Destruction>();
    destruction->pin = std::move(pin);
    try {
      whenDestroyed(runtime, memory, std::move(destruction));
    } catch (const Failure&) {
      handles.recycle(handle);
      throw;
    }
  }
  if (isOwnMemory || !pinned) {
    // V8 already counts the memory of its ArrayBuffers. Created last, since reporting may collect garbage.
    handles.peek(handle)->record = std::make_shared<PressureRecord>(call.env, bytes);
  }
  return handle;
}

void addMemoryObjectExports(Exports& exports) { exports.add({{"watchDestruction", function<watchDestruction>}}); }

}  // namespace cl
