// The functions exported to JavaScript. Each source file adds its own to the addon's exports object.
#pragma once

#include "napi/call.h"

namespace cl {

/// The addon's exports object. Each function carries the environment as its data, which is cheaper to read than the
/// addon's instance data.
class Exports {
 public:
  Exports(Napi::Env env, Napi::Object functions, Environment& environment)
      : env_(env), functions_(functions), environment_(environment) {}

  struct Entry {
    const char* name;
    Napi::Function (*make)(napi_env env, const char* name, void* environment);
  };
  void add(std::initializer_list<Entry> entries) {
    for (const auto& [name, make] : entries) functions_.Set(name, make(env_, name, &environment_));
  }

 private:
  Napi::Env env_;
  Napi::Object functions_;
  Environment& environment_;
};

/// Creates the JavaScript function for `Body`.
template <Napi::Value (*Body)(Call&)>
Napi::Function function(napi_env env, const char* name, void* environment) {
  return Napi::Function::New<invoke<Body>>(env, name, environment);
}

/// Creates the JavaScript function for a hot `Body` that takes at most `Capacity` arguments; see invokeHot().
template <Napi::Value (*Body)(Call&), size_t Capacity>
Napi::Function hotFunction(napi_env env, const char* name, void* environment) {
  napi_value created = nullptr;
  napi_create_function(env, name, NAPI_AUTO_LENGTH, invokeHot<Body, Capacity>, environment, &created);
  return {env, created};
}

// objects/
void addPlatformExports(Exports& exports);
void addInfoExports(Exports& exports);
void addContextExports(Exports& exports);
void addQueueExports(Exports& exports);
void addEventExports(Exports& exports);
void addMemoryObjectExports(Exports& exports);
void addBufferExports(Exports& exports);
void addImageExports(Exports& exports);
void addSamplerExports(Exports& exports);
void addPipeExports(Exports& exports);
void addSemaphoreExports(Exports& exports);
void addExternalMemoryExports(Exports& exports);
void addSvmExports(Exports& exports);
void addProgramExports(Exports& exports);
void addKernelExports(Exports& exports);
void addLoanExports(Exports& exports);
void addAdoptExports(Exports& exports);

// commands/
void addTransferExports(Exports& exports);
void addImageTransferExports(Exports& exports);
void addSvmTransferExports(Exports& exports);
void addMapExports(Exports& exports);
void addStagingExports(Exports& exports);
void addLaunchExports(Exports& exports);
void addListExports(Exports& exports);
void addCommandBufferExports(Exports& exports);
void addHostFunctionExports(Exports& exports);
void addNativeKernelExports(Exports& exports);
void addRelayExports(Exports& exports);

// profiling/
void addStatisticsExports(Exports& exports);
void addTraceExports(Exports& exports);

}  // namespace cl
