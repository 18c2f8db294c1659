// Buffers and sub-buffers.
#include "exports.h"
#include "napi/landing_memory.h"
#include "objects/loans.h"
#include "objects/memory_object.h"
#include "objects/overlapping_sub_buffers.h"

namespace cl {
namespace {

/// createBuffer(context, flags, bytes, host?: typed array, properties?: BigUint64Array)
Napi::Value createBuffer(Call& call) {
  const Slot context = call.slot(0, Kind::Context);
  const auto flags = static_cast<cl_mem_flags>(call.flags(1));
  const size_t bytes = call.size(2);
  const HostBytes host = call.hostMemory(3, (flags & CL_MEM_USE_HOST_PTR) == 0);
  const Runtime& runtime = *context.runtime;
  const bool readsHost = (flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0;
  // The array's declared length may be wrong; the driver would read past its end.
  if (readsHost && (host.data == nullptr || host.bytes < bytes))
    invalid("the host array is shorter than the buffer", 3);
  std::shared_ptr<void> pin = pinForUse(call, flags, host);
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
  return call.result(addMemory(call, memory, runtime, context.object, std::move(pin), bytes));
}

/// createLargePageBuffer(context, flags, bytes): creates a buffer in host memory on large pages, which is freed when
/// the driver has destroyed the buffer.
Napi::Value createLargePageBuffer(Call& call) {
  const Slot context = call.slot(0, Kind::Context);
  const auto flags = static_cast<cl_mem_flags>(call.flags(1)) | CL_MEM_USE_HOST_PTR;
  const size_t bytes = call.size(2);
  const Runtime& runtime = *context.runtime;
  const std::shared_ptr<void> pages(newLanding(bytes), [bytes](void* data) { freeLanding(data, bytes, nullptr); });
  if (!pages) check(CL_OUT_OF_HOST_MEMORY, "malloc");
  cl_int status = CL_SUCCESS;
  const cl_mem memory = runtime.clCreateBuffer(context.as<cl_context>(), flags, bytes, pages.get(), &status);
  check(status, "clCreateBuffer");
  return call.result(addMemory(call, memory, runtime, context.object, pages, bytes, true));
}

/// createSubBuffer(buffer, flags, origin, bytes, owner: the sub-buffer or buffer whose loan it depends on, leaks:
/// whether the driver cannot release overlapping sub-buffers)
Napi::Value createSubBuffer(Call& call) {
  const Slot buffer = call.slot(0, Kind::Memory);
  const auto flags = static_cast<cl_mem_flags>(call.flags(1));
  const cl_buffer_region region{call.size(2), call.size(3)};
  const Slot owner = call.slot(4, Kind::Memory);
  SharedSubBuffer part;
  if (call.boolean(5)) {
    part = createSharedSubBuffer(*buffer.runtime, buffer.as<cl_mem>(), flags, region);
  } else {
    cl_int status = CL_SUCCESS;
    part.memory =
        buffer.runtime->clCreateSubBuffer(buffer.as<cl_mem>(), flags, CL_BUFFER_CREATE_TYPE_REGION, &region, &status);
    check(status, "clCreateSubBuffer");
  }
  HandleTable& handles = call.environment->handles;
  return call.result(
      addDependent(call, owner, handles.add(Kind::Memory, part.memory, *buffer.runtime, buffer.context, part.record)));
}

/// hasLeakedSubBuffers() -> whether there are overlapping sub-buffers that the driver cannot release
Napi::Value hasLeakedSubBuffersExport(Call& call) { return call.result(hasLeakedSubBuffers()); }

/// aliasBuffer(buffer) -> another handle of the same memory object
Napi::Value aliasBuffer(Call& call) {
  const Slot buffer = call.slot(0, Kind::Memory);
  check(buffer.runtime->clRetainMemObject(buffer.as<cl_mem>()), "clRetainMemObject");
  HandleTable& handles = call.environment->handles;
  return call.result(addDependent(
      call, buffer, handles.add(Kind::Memory, buffer.object, *buffer.runtime, buffer.context, buffer.record)));
}

}  // namespace

void addBufferExports(Exports& exports) {
  exports.add({{"createBuffer", function<createBuffer>},
               {"createLargePageBuffer", function<createLargePageBuffer>},
               {"createSubBuffer", function<createSubBuffer>},
               {"hasLeakedSubBuffers", function<hasLeakedSubBuffersExport>},
               {"aliasBuffer", function<aliasBuffer>}});
}

}  // namespace cl
