#include "napi/environment.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "driver/held_events.h"
#include "napi/event_watches.h"

namespace cl {
namespace {

constexpr int kTeardownMilliseconds = 5000;
// A build always ends, and a process that exits while a compiler works crashes in it.
constexpr int kBuildMilliseconds = 60000;

/// Finishes all queues on a helper thread, so that a kernel that never ends cannot block the teardown. Returns whether
/// they finished in time.
bool finishQueues(HandleTable& handles) {
  struct State {
    std::vector<std::pair<const Runtime*, cl_command_queue>> queues;
    std::mutex mutex;
    std::condition_variable changed;
    bool done = false;

    void add(const Runtime& runtime, cl_command_queue queue) {
      runtime.clRetainCommandQueue.quietly(queue);
      queues.emplace_back(&runtime, queue);
    }
  };
  auto state = std::make_shared<State>();
  for (Slot& slot : handles.slots()) {
    if (!slot.alive) continue;
    if (slot.record)
      for (const cl_command_queue queue : slot.record->ownQueues()) state->add(*slot.runtime, queue);
    if (slot.kind == Kind::Queue) state->add(*slot.runtime, slot.as<cl_command_queue>());
  }
  if (state->queues.empty()) return true;
  const auto finish = [state] {
    for (const auto& [runtime, queue] : state->queues) {
      runtime->clFinish.quietly(queue);
      runtime->clReleaseCommandQueue.quietly(queue);
    }
    const std::lock_guard lock(state->mutex);
    state->done = true;
    state->changed.notify_all();
  };
  try {
    std::thread(finish).detach();
  } catch (const std::exception&) {
    return false;
  }
  std::unique_lock lock(state->mutex);
  return state->changed.wait_for(lock, std::chrono::milliseconds(kTeardownMilliseconds), [&] { return state->done; });
}

}  // namespace

Handle Environment::intern(Kind kind, void* object, const Runtime& runtime) {
  if (const auto found = interned.find(object); found != interned.end()) return found->second;
  // No effect on a root device; a sub-device must outlive the handle that names it.
  if (kind == Kind::Device) runtime.clRetainDevice.quietly(static_cast<cl_device_id>(object));
  const Handle handle = handles.add(kind, object, runtime, nullptr);
  interned.emplace(object, handle);
  return handle;
}

bool Environment::quiesce() {
  handles.failUserEvents();
  // After one timeout, do not wait again.
  if (!timedOut) timedOut = (channel && !channel->waitForJobs(kBuildMilliseconds)) || !finishQueues(handles);
  return !timedOut;
}

void Environment::tearDown() {
  if (channel) channel->close();
  const bool quiet = quiesce();
  for (const auto& hook : teardownHooks) hook(quiet);
  // PoCL 3.1 does not call back for the commands that failed here, and the memory that they pin can only be freed while
  // the engine is alive.
  if (channel) endWatchesOf(*channel);
  if (quiet) {
    releaseHeldEventsInTime();
    handles.releaseAll();
  } else {
    // Leaked with its slots; see environment.h.
    static_cast<void>(new HandleTable(std::move(handles)));
  }
  if (channel) channel->engineEnds();
}

}  // namespace cl
