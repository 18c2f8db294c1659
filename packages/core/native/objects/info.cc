#include "objects/info.h"

#include "driver/extensions.h"
#include "driver/large_stack.h"
#include "exports.h"
#include "objects/semaphore.h"

namespace cl {
namespace {

Napi::Value resultOf(Call& call, const std::vector<uint8_t>& bytes) {
  return call.resultBytes(bytes.data(), bytes.size());
}

/// getInfo(handle, param): the info query of the object's kind
Napi::Value getInfo(Call& call) {
  const Slot* slot = call.environment->handles.peek(call.integer(0));
  if (slot == nullptr || !slot->alive) throw Failure{"DISPOSED", {}, CL_SUCCESS, "object", 0};
  const auto param = call.uint32(1);
  const Runtime& runtime = *slot->runtime;
  const auto query = [&](const auto& entry, auto object) {
    return resultOf(
        call, queryInfo([&](size_t n, void* p, size_t* need) { return entry(object, param, n, p, need); }, entry.name));
  };
  switch (slot->kind) {
    case Kind::Platform:
      return query(runtime.clGetPlatformInfo, slot->as<cl_platform_id>());
    case Kind::Device:
      return query(runtime.clGetDeviceInfo, slot->as<cl_device_id>());
    case Kind::Context:
      return query(runtime.clGetContextInfo, slot->as<cl_context>());
    case Kind::Queue:
      return query(runtime.clGetCommandQueueInfo, slot->as<cl_command_queue>());
    case Kind::Event:
      return query(runtime.clGetEventInfo, slot->as<cl_event>());
    case Kind::Memory:
      return query(runtime.clGetMemObjectInfo, slot->as<cl_mem>());
    case Kind::Sampler:
      return query(runtime.clGetSamplerInfo, slot->as<cl_sampler>());
    case Kind::Program: {
      const auto program = slot->as<cl_program>();
      if (param != CL_PROGRAM_BINARY_SIZES) return query(runtime.clGetProgramInfo, program);
      // PoCL compiles the program to answer this.
      const auto& entry = runtime.clGetProgramInfo;
      return resultOf(call, runCompiling([&] {
                        return queryInfo(
                            [&](size_t n, void* p, size_t* need) { return entry(program, param, n, p, need); },
                            entry.name);
                      }));
    }
    case Kind::Kernel:
      return query(runtime.clGetKernelInfo, slot->as<cl_kernel>());
    case Kind::Semaphore:
      return query(semaphoreOf(*slot).extensions.clGetSemaphoreInfoKHR, slot->as<Semaphore*>());
    case Kind::CommandBuffer:
      return query(extensionsOf(runtime, static_cast<cl_context>(slot->context)).clGetCommandBufferInfoKHR,
                   slot->as<CommandBuffer*>());
    case Kind::Svm:
    case Kind::List:
    case Kind::Map:
    case Kind::None:
      break;
  }
  invalid(std::string("a ") + kindName(slot->kind) + " does not support info queries", 0);
}

Napi::Value getImageInfo(Call& call) {
  const Slot& slot = call.slot(0, Kind::Memory);
  const auto param = call.uint32(1);
  const auto& entry = slot.runtime->clGetImageInfo;
  return resultOf(
      call, queryInfo([&](size_t n, void* p, size_t* need) { return entry(slot.as<cl_mem>(), param, n, p, need); },
                      entry.name));
}

Napi::Value getBuildInfo(Call& call) {
  const Slot& program = call.slot(0, Kind::Program);
  const Slot& device = call.slot(1, Kind::Device);
  const auto param = call.uint32(2);
  const auto& entry = program.runtime->clGetProgramBuildInfo;
  return resultOf(call, queryInfo(
                            [&](size_t n, void* p, size_t* need) {
                              return entry(program.as<cl_program>(), device.as<cl_device_id>(), param, n, p, need);
                            },
                            entry.name));
}

Napi::Value getWorkGroupInfo(Call& call) {
  const Slot& kernel = call.slot(0, Kind::Kernel);
  const Slot& device = call.slot(1, Kind::Device);
  const auto param = call.uint32(2);
  const auto& entry = kernel.runtime->clGetKernelWorkGroupInfo;
  return resultOf(call, queryInfo(
                            [&](size_t n, void* p, size_t* need) {
                              return entry(kernel.as<cl_kernel>(), device.as<cl_device_id>(), param, n, p, need);
                            },
                            entry.name));
}

/// getSubGroupInfo(kernel, device, param, input: BigUint64Array)
Napi::Value getSubGroupInfo(Call& call) {
  const Slot& kernel = call.slot(0, Kind::Kernel);
  const Slot& device = call.slot(1, Kind::Device);
  const auto param = call.uint32(2);
  const std::vector<uint64_t> values = call.longs(3);
  const std::vector<size_t> input(values.begin(), values.end());
  const auto& entry = kernel.runtime->clGetKernelSubGroupInfo;
  return resultOf(call, queryInfo(
                            [&](size_t n, void* p, size_t* need) {
                              return entry(kernel.as<cl_kernel>(), device.as<cl_device_id>(), param,
                                           input.size() * sizeof(size_t), input.empty() ? nullptr : input.data(), n, p,
                                           need);
                            },
                            entry.name));
}

Napi::Value getArgInfo(Call& call) {
  const Slot& kernel = call.slot(0, Kind::Kernel);
  const auto index = call.uint32(1);
  const auto param = call.uint32(2);
  const auto& entry = kernel.runtime->clGetKernelArgInfo;
  return resultOf(call, queryInfo([&](size_t n, void* p,
                                      size_t* need) { return entry(kernel.as<cl_kernel>(), index, param, n, p, need); },
                                  entry.name));
}

}  // namespace

void addInfoExports(Exports& exports) {
  exports.add({{"getInfo", function<getInfo>},
               {"getImageInfo", function<getImageInfo>},
               {"getBuildInfo", function<getBuildInfo>},
               {"getWorkGroupInfo", function<getWorkGroupInfo>},
               {"getSubGroupInfo", function<getSubGroupInfo>},
               {"getArgInfo", function<getArgInfo>}});
}

}  // namespace cl
