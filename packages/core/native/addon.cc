// The module: makes the environment's state and exports the flat functions. JavaScript calls initialize() once, before
// anything else, with what it shares.
#include <algorithm>

#include "exports.h"
#include "napi/detach.h"
#include "napi/environment.h"

namespace cl {
namespace {

/// Room for a launch's header and a rectangle; what kernels' arguments need is checked with each kernel.
constexpr size_t kLeastScratchBytes = 128;

/// initialize(createError, settle, scratch: Uint8Array, completions: Float64Array)
napi_value initialize(Call& call) {
  Environment& environment = *call.environment;
  if (environment.channel) invalid("already initialized");
  const HostBytes scratch = call.bytes(2);
  const HostBytes completions = call.bytes(3);
  if (scratch.bytes < kLeastScratchBytes || completions.bytes < 2 * sizeof(double))
    invalid("the shared memory is too small");
  environment.scratch = scratch.data;
  environment.scratchBytes = scratch.bytes;
  napi_create_reference(call.env, call.value(0), 1, &environment.createError);
  captureTransfer(call);
  environment.channel = std::make_shared<Channel>(call.env, call.value(1), reinterpret_cast<double*>(completions.data),
                                                  completions.bytes / (2 * sizeof(double)));
  // After the channel's thread-safe function, so that it runs before that one is torn down.
  napi_add_env_cleanup_hook(call.env, Environment::destroy, &environment);
  return nullptr;
}

napi_value release(Call& call) { return call.result(call.environment->handles.release(call.integer(0))); }

napi_value recycle(Call& call) {
  call.environment->handles.recycle(call.integer(0));
  return nullptr;
}

napi_value holdLoop(Call& call) {
  call.environment->requireInitialized();
  call.environment->channel->hold(call.boolean(0));
  return nullptr;
}

/// quiesce(): ends what can be ended and waits for the rest, a bounded time.
napi_value quiesce(Call& call) {
  call.environment->requireInitialized();
  call.environment->quiesce();
  return nullptr;
}

napi_value completionText(Call& call) {
  call.environment->requireInitialized();
  return call.result(call.environment->channel->text(call.size(0)));
}

/// handleCounts() -> live objects of each kind, in the order of Kind
napi_value handleCounts(Call& call) {
  std::vector<int32_t> counts;
  for (int kind = 0; kind < kKindCount; ++kind)
    counts.push_back(static_cast<int32_t>(call.environment->handles.count(static_cast<Kind>(kind))));
  return call.result(counts);
}

}  // namespace
}  // namespace cl

NAPI_MODULE_INIT() {
  auto* environment = new cl::Environment();
  environment->env = env;
  cl::Exports list{
      {"initialize", cl::invoke<cl::initialize>},     {"release", cl::invoke<cl::release, 1>},
      {"recycle", cl::invoke<cl::recycle, 1>},        {"holdLoop", cl::invoke<cl::holdLoop, 1>},
      {"quiesce", cl::invoke<cl::quiesce, 0>},        {"completionText", cl::invoke<cl::completionText>},
      {"handleCounts", cl::invoke<cl::handleCounts>},
  };
  for (const auto add : {cl::addPlatformExports,      cl::addInfoExports,         cl::addContextExports,
                         cl::addQueueExports,         cl::addEventExports,        cl::addMemoryObjectExports,
                         cl::addBufferExports,        cl::addImageExports,        cl::addSamplerExports,
                         cl::addPipeExports,          cl::addSemaphoreExports,    cl::addExternalMemoryExports,
                         cl::addSvmExports,           cl::addProgramExports,      cl::addKernelExports,
                         cl::addLendingExports,       cl::addAdoptExports,        cl::addTransferExports,
                         cl::addImageTransferExports, cl::addSvmTransferExports,  cl::addMapExports,
                         cl::addStagingExports,       cl::addLaunchExports,       cl::addListExports,
                         cl::addCommandBufferExports, cl::addHostFunctionExports, cl::addNativeKernelExports,
                         cl::addStatisticsExports,    cl::addTraceExports})
    add(list);
  for (const cl::Export& entry : list) {
    napi_value function = nullptr;
    napi_create_function(env, entry.name, NAPI_AUTO_LENGTH, entry.function, environment, &function);
    napi_set_named_property(env, exports, entry.name, function);
  }
  return exports;
}
