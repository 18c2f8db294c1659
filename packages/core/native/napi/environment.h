// The state of one JavaScript environment (the main thread or a worker). It is Node-API's instance data of the addon,
// which deletes it, and the data of every exported function, which is cheaper to read; never a static. JavaScript
// thread only.
//
// Teardown runs in a cleanup hook, in this order: the channel closes, so that nothing more reaches JavaScript; user
// events that were never completed are failed, so that the commands waiting for them end; running builds and queues are
// waited for, with a timeout, because a driver that still works during exit may crash in its exit handlers; then
// everything is released. After a timeout (a kernel that never ends) nothing is released, since leaking is safe and
// freeing is not.
//
// process.exit() ends the main thread without cleanup hooks, so JavaScript also calls quiesce() when it is notified of
// the exit (src/binding/exit.ts). An exit handler of the process would run too late: a compiler's static state is
// destroyed before it.
#pragma once

#include <napi.h>

#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "napi/completion.h"
#include "napi/handles.h"

namespace cl {

struct Harvests;
struct LoanStates;
class SvmState;

struct Environment {
  /// The scratch block before initialize(): its handles are all invalid.
  alignas(16) static inline uint8_t emptyScratch[128] = {};

  explicit Environment(Napi::Env env_) : env(env_) {}

  const Napi::Env env;
  HandleTable handles;
  std::shared_ptr<Channel> channel;
  /// Memory shared with TypeScript for the arguments of hot calls (src/binding/scratch.ts defines the layout).
  uint8_t* scratch = emptyScratch;
  size_t scratchBytes = 0;
  /// TypeScript's function that creates errors.
  Napi::FunctionReference createError;
  /// ArrayBuffer.prototype.transfer as it was when the addon was loaded; empty if the engine has none (detach.h).
  Napi::FunctionReference transferMemory;
  /// Shared virtual memory that is in use or waits to be freed.
  std::shared_ptr<SvmState> svm;
  /// Loan states of pooled memory; null until there is any.
  std::shared_ptr<LoanStates> loanStates;
  /// Commands whose times are recorded when they end (harvest.h); null until there is any.
  std::shared_ptr<Harvests> harvests;
  /// Called at teardown; `quiet` says whether all commands have ended.
  std::vector<std::function<void(bool quiet)>> teardownHooks;
  /// Handles of platforms and devices: each object has one, however often it is listed.
  std::unordered_map<void*, Handle> interned;

  /// Throws unless initialize() was called. Only functions that need no handle have to call it.
  void requireInitialized() const {
    if (!channel) invalid("initialize() must be called first");
  }
  Handle intern(Kind kind, void* object, const Runtime& runtime);
  double* numbers() { return reinterpret_cast<double*>(scratch); }

  /// quiesce() timed out once.
  bool timedOut = false;

  /// Fails open user events and waits for jobs and queues, with a timeout. Returns whether everything has ended.
  bool quiesce();

  /// The teardown described above.
  void tearDown();
};

}  // namespace cl
