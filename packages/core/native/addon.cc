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
Napi::Value initialize(Call& call) {
  Environment& environment = *call.environment;
  if (environment.channel) invalid("already initialized");
  const HostBytes scratch = call.bytes(2);
  const HostBytes completions = call.bytes(3);
  if (scratch.bytes < kLeastScratchBytes || completions.bytes < 2 * sizeof(double))
    invalid("the shared memory is too small");
  environment.scratch = scratch.data;
  environment.scratchBytes = scratch.bytes;
  environment.createError = Napi::Persistent(call.value(0).As<Napi::Function>());
  captureTransfer(call);
  environment.channel =
      std::make_shared<Channel>(call.env, call.value(1).As<Napi::Function>(),
                                reinterpret_cast<double*>(completions.data), completions.bytes / (2 * sizeof(double)));
  // After the channel's thread-safe function, so that it runs before that one is torn down.
  call.env.AddCleanupHook([](Environment* ending) { ending->end(); }, &environment);
  return {};
}

Napi::Value release(Call& call) { return call.result(call.environment->handles.release(call.integer(0))); }

Napi::Value recycle(Call& call) {
  call.environment->handles.recycle(call.integer(0));
  return {};
}

Napi::Value holdLoop(Call& call) {
  call.environment->requireInitialized();
  call.environment->channel->hold(call.boolean(0));
  return {};
}

/// quiesce(): ends what can be ended and waits for the rest, a bounded time.
Napi::Value quiesce(Call& call) {
  call.environment->requireInitialized();
  call.environment->quiesce();
  return {};
}

Napi::Value completionText(Call& call) {
  call.environment->requireInitialized();
  return call.result(call.environment->channel->text(call.size(0)));
}

/// handleCounts() -> live objects of each kind, in the order of Kind
Napi::Value handleCounts(Call& call) {
  std::vector<int32_t> counts;
  for (int kind = 0; kind < kKindCount; ++kind)
    counts.push_back(static_cast<int32_t>(call.environment->handles.count(static_cast<Kind>(kind))));
  return call.result(counts);
}

Napi::Object start(Napi::Env env, Napi::Object exported) {
  auto* environment = new Environment(env);
  env.SetInstanceData(environment);
  Exports exports(env, exported, *environment);
  exports.add({{"initialize", function<initialize>},
               {"release", function<release>},
               {"recycle", function<recycle>},
               {"holdLoop", function<holdLoop>},
               {"quiesce", function<quiesce>},
               {"completionText", function<completionText>},
               {"handleCounts", function<handleCounts>}});
  for (const auto add :
       {addPlatformExports,      addInfoExports,         addContextExports,       addQueueExports,
        addEventExports,         addMemoryObjectExports, addBufferExports,        addImageExports,
        addSamplerExports,       addPipeExports,         addSemaphoreExports,     addExternalMemoryExports,
        addSvmExports,           addProgramExports,      addKernelExports,        addLendingExports,
        addAdoptExports,         addTransferExports,     addImageTransferExports, addSvmTransferExports,
        addMapExports,           addStagingExports,      addLaunchExports,        addListExports,
        addCommandBufferExports, addHostFunctionExports, addNativeKernelExports,  addStatisticsExports,
        addTraceExports})
    add(exports);
  return exported;
}

}  // namespace
}  // namespace cl

using cl::start;
NODE_API_MODULE(cl_core, start)
