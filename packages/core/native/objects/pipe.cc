// Pipes: queues of packets between kernels.
#include "exports.h"
#include "objects/info.h"

namespace cl {
namespace {

/// createPipe(context, flags, packetSize, maxPackets)
Napi::Value createPipe(Call& call) {
  const Slot context = call.slot(0, Kind::Context);
  const auto flags = static_cast<cl_mem_flags>(call.flags(1));
  cl_int status = CL_SUCCESS;
  // OpenCL defines no properties of pipes yet.
  const cl_mem pipe =
      context.runtime->clCreatePipe(context.as<cl_context>(), flags, call.uint32(2), call.uint32(3), nullptr, &status);
  check(status, "clCreatePipe");
  return call.result(call.environment->handles.add(Kind::Memory, pipe, *context.runtime, context.object));
}

/// getPipeInfo(pipe, param)
Napi::Value getPipeInfo(Call& call) {
  const Slot& slot = call.slot(0, Kind::Memory);
  const auto param = call.uint32(1);
  const auto& entry = slot.runtime->clGetPipeInfo;
  const auto bytes = queryInfo(
      [&](size_t n, void* p, size_t* need) { return entry(slot.as<cl_mem>(), param, n, p, need); }, entry.name);
  return call.resultBytes(bytes.data(), bytes.size());
}

}  // namespace

void addPipeExports(Exports& exports) {
  exports.add({{"createPipe", function<createPipe>}, {"getPipeInfo", function<getPipeInfo>}});
}

}  // namespace cl
