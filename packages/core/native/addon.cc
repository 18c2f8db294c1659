// The addon's entry point: creates the environment and exports its functions. JavaScript must call initialize() first.
#include <algorithm>

#include "exports.h"
#include "napi/detach.h"
#include "napi/environment.h"

namespace cl {
namespace {

/// Minimum size of the scratch block: a launch's header or a rectangle. Each kernel checks that its arguments fit.
constexpr size_t kMinScratchBytes = 128;

/// initialize(createError, settle, scratch: Uint8Array, completions: Float64Array)
Napi::Value initialize(Call& call) {
  Environment& environment = *call.environment;
  if (environment.channel) invalid("already initialized");
  const HostBytes scratch = call.bytes(2);
  const HostBytes completions = call.bytes(3);
  if (scratch.bytes < kMinScratchBytes || completions.bytes < 2 * sizeof(double))
    invalid("the scratch or the completion block is too small");
  environment.scratch = scratch.data;
  environment.scratchBytes = scratch.bytes;
  environment.createError = Napi::Persistent(call.value(0).As<Napi::Function>());
  captureTransfer(call);
  environment.channel =
      std::make_shared<Channel>(call.env, call.value(1).As<Napi::Function>(),
                                reinterpret_cast<double*>(completions.data), completions.bytes / (2 * sizeof(double)));
  // Registered after the channel's thread-safe function was created, so that it runs before that one is torn down.
  call.env.AddCleanupHook([](Environment* ending) { ending->tearDown(); }, &environment);
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

/// quiesce(): fails open user events and waits, with a timeout, for everything that still runs.
Napi::Value quiesce(Call& call) {
  call.environment->requireInitialized();
  call.environment->quiesce();
  return {};
}

Napi::Value completionText(Call& call) {
  call.environment->requireInitialized();
  return call.result(call.environment->channel->text(call.size(0)));
}

/// handleCounts() -> number of live objects of each kind, in the order of Kind
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
        addSvmExports,           addProgramExports,      addKernelExports,        addLoanExports,
        addAdoptExports,         addTransferExports,     addImageTransferExports, addSvmTransferExports,
        addMapExports,           addStagingExports,      addLaunchExports,        addListExports,
        addCommandBufferExports, addHostFunctionExports, addNativeKernelExports,  addRelayExports,
        addStatisticsExports,    addTraceExports})
    add(exports);
  return exported;
}

}  // namespace
}  // namespace cl

using cl::start;
NODE_API_MODULE(cl_core, start)
