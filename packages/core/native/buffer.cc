// Lifetime rule: with USE_HOST_PTR the driver may touch the caller's memory until the memory object is really
// destroyed, which is later than our release while commands use it. The pin therefore belongs to the destructor
// callback. PoCL 3.1 aborts if such a callback touches the dying object; ours only drops the pin or posts a number.
#include "buffer.h"

#include "backing_store.h"
#include "info.h"

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

/// Tells V8 how much memory a buffer holds, so that dropped buffers make garbage collection more urgent. It lives in
/// the buffer's slot and so dies on the JavaScript thread, at the latest in the environment's cleanup hook.
class Pressure final : public Record {
 public:
  Pressure(napi_env env, size_t bytes) : env_(env), bytes_(static_cast<int64_t>(bytes)) { adjust(bytes_); }
  ~Pressure() override { adjust(-bytes_); }

 private:
  void adjust(int64_t change) {
    int64_t total = 0;
    napi_adjust_external_memory(env_, change, &total);
  }

  napi_env env_;
  int64_t bytes_;
};

void whenDestroyed(const Runtime& runtime, cl_mem memory, std::unique_ptr<Destruction> destruction) {
  check(runtime.clSetMemObjectDestructorCallback(memory, onDestroyed, destruction.get()),
        "clSetMemObjectDestructorCallback");
  destruction.release();
}

/// createBuffer(context, flags, bytes, host?: typed array, properties?: BigUint64Array)
napi_value createBuffer(Call& call) {
  const Slot context = call.slot(0, Kind::Context);
  const auto flags = static_cast<cl_mem_flags>(call.flags(1));
  const size_t bytes = call.size(2);
  const HostBytes host = call.bytes(3);
  const Runtime& runtime = *context.runtime;
  const bool readsHost = (flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0;
  // A typed array may claim another length than it has; the driver would read beyond its end.
  if (readsHost && (host.data == nullptr || host.bytes < bytes))
    invalid("the host array is shorter than the buffer", 3);
  std::unique_ptr<Destruction> destruction;
  if ((flags & CL_MEM_USE_HOST_PTR) != 0) {
    destruction = std::make_unique<Destruction>();
    destruction->pin = pinBackingStore(call.env, call.environment->channel, host.arrayBuffer);
    if (!destruction->pin)
      throw Failure{"NOT_SUPPORTED", "USE_HOST_PTR", CL_SUCCESS, "an engine whose ArrayBuffers can be pinned", -1};
  }
  const auto properties = call.properties<cl_mem_properties>(4);
  cl_int status = CL_SUCCESS;
  cl_mem memory = nullptr;
  if (properties.empty()) {
    memory = runtime.clCreateBuffer(context.as<cl_context>(), flags, bytes, host.data, &status);
    check(status, "clCreateBuffer");
  } else {
    memory = runtime.clCreateBufferWithProperties(context.as<cl_context>(), properties.data(), flags, bytes, host.data,
                                                  &status);
    check(status, "clCreateBufferWithProperties");
  }
  const bool usesHostMemory = destruction != nullptr;
  const Handle handle = call.environment->handles.add(Kind::Memory, memory, runtime, context.object);
  if (usesHostMemory) {
    try {
      whenDestroyed(runtime, memory, std::move(destruction));
    } catch (const Failure&) {
      call.environment->handles.recycle(handle);
      throw;
    }
  } else {
    // V8 knows the memory of its own arrays. The slot's record comes last, since telling V8 may collect garbage.
    call.environment->handles.peek(handle)->record = std::make_shared<Pressure>(call.env, bytes);
  }
  return call.result(handle);
}

/// createSubBuffer(buffer, flags, origin, bytes)
napi_value createSubBuffer(Call& call) {
  const Slot buffer = call.slot(0, Kind::Memory);
  const cl_buffer_region region{call.size(2), call.size(3)};
  cl_int status = CL_SUCCESS;
  const cl_mem memory = buffer.runtime->clCreateSubBuffer(buffer.as<cl_mem>(), static_cast<cl_mem_flags>(call.flags(1)),
                                                          CL_BUFFER_CREATE_TYPE_REGION, &region, &status);
  check(status, "clCreateSubBuffer");
  return call.result(call.environment->handles.add(Kind::Memory, memory, *buffer.runtime, buffer.context));
}

/// watchDestruction(memory, id)
napi_value watchDestruction(Call& call) {
  const Slot& memory = call.slot(0, Kind::Memory);
  auto destruction = std::make_unique<Destruction>();
  destruction->channel = call.environment->channel;
  destruction->id = call.number(1);
  whenDestroyed(*memory.runtime, memory.as<cl_mem>(), std::move(destruction));
  return nullptr;
}

}  // namespace

void addBufferExports(Exports& exports) {
  exports.push_back({"createBuffer", invoke<createBuffer>});
  exports.push_back({"createSubBuffer", invoke<createSubBuffer>});
  exports.push_back({"watchDestruction", invoke<watchDestruction>});
}

}  // namespace cl
