// What one JavaScript environment (the main thread or a worker) owns. It is Node-API's instance data of the addon,
// which deletes it, and the data of every exported function, which is nearer; never a static.
//
// Teardown, in a cleanup hook and in this order: the channel closes, so that nothing more reaches JavaScript; user
// events that were never completed are failed, so that what waits for them ends; running builds and queues are waited
// for, a bounded time, because a driver that still works while the process exits may crash in its exit handlers; then
// everything is released. If the wait runs out (a kernel that never ends) nothing is released: leaking is safe, freeing
// is not.
//
// process.exit() ends the main thread without running cleanup hooks. So the waiting is also done when JavaScript hears
// of the exit (src/binding/exit.ts). An exit handler of the process would come too late: what a compiler makes during a
// build is torn down before it.
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
struct Lendings;
class SvmState;

struct Environment {
  /// What launches read before initialize(): handles that name nothing.
  alignas(16) static inline uint8_t nothing[128] = {};

  explicit Environment(Napi::Env env_) : env(env_) {}

  const Napi::Env env;
  HandleTable handles;
  std::shared_ptr<Channel> channel;
  /// Memory shared with TypeScript for the arguments of hot calls (src/binding/scratch.ts has the layout).
  uint8_t* scratch = nothing;
  size_t scratchBytes = 0;
  /// TypeScript's maker of errors.
  Napi::FunctionReference createError;
  /// ArrayBuffer.prototype.transfer as it was when the addon was loaded; null where the engine has none (map.h).
  Napi::FunctionReference transferMemory;
  /// Shared virtual memory that is used, or waits to be freed.
  std::shared_ptr<SvmState> svm;
  /// Memory that is lent, once there is any.
  std::shared_ptr<Lendings> lendings;
  /// Commands that are counted when they have ended (harvest.h), once there are any.
  std::shared_ptr<Harvests> harvests;
  /// What other layers do when the environment ends; `quiet` says whether all commands have ended.
  std::vector<std::function<void(bool quiet)>> endings;
  /// Platforms and devices have one handle each, however often they are listed.
  std::unordered_map<void*, Handle> interned;

  /// Everything begins with a platform or a pointer, so that only the first calls need to ask this.
  void requireInitialized() const {
    if (!channel) invalid("initialize() comes first");
  }
  Handle intern(Kind kind, void* object, const Runtime& runtime);
  double* numbers() { return reinterpret_cast<double*>(scratch); }

  /// Something went on running although it was waited for.
  bool restless = false;

  /// Ends what can be ended and waits for the rest, a bounded time; false if something still runs.
  bool quiesce();

  /// What the cleanup hook does; see above.
  void end();
};

}  // namespace cl
