// Delivers completions from other threads to JavaScript.
//
// Driver callbacks and this addon's threads (waiters.h) append completions to a list under a mutex and wake the event
// loop once per batch, through one thread-safe function per environment. JavaScript reads the batch from a shared block
// of memory and settles its promises.
//
// Threading rules:
//  - The environment and every pending callback hold the channel by shared_ptr, so a late driver callback, even after
//    the environment is gone, finds a closed channel instead of freed memory.
//  - The thread-safe function is used only under the mutex and only while the channel is open. The environment's
//    cleanup hook releases it. That hook is registered after the function was created, so it runs before the function's
//    teardown.
//  - The channel keeps the event loop open only while JavaScript waits (hold).
#pragma once

#include <napi.h>

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "napi/handles.h"
#include "napi/waiters.h"

namespace cl {

/// One environment's channel for completions. post(), watch(), run() and dropPin() may be called from any thread.
class Channel : public std::enable_shared_from_this<Channel> {
 public:
  /// A completion: the id that JavaScript assigned, and an event's status or a job's result.
  struct Completion {
    double id;
    double status;
    std::string text;
  };

  /// Calls `settle(count)` on the JavaScript thread with `count` pairs of id and status in the block; text() returns
  /// their texts.
  Channel(Napi::Env env, Napi::Function settle, double* block, size_t capacity);

  /// Queues a completion for delivery; does nothing if the channel is closed.
  void post(Completion completion);
  /// Posts `id` when the event reaches `stage` or fails, unless `id` is 0. Holds `pin` until then.
  void watch(const Runtime& runtime, cl_event event, cl_int stage, double id, std::shared_ptr<void> pin);
  /// Calls `onEnd` with the status, on any thread, when the event has ended.
  void watch(const Runtime& runtime, cl_event event, std::function<void(cl_int)> onEnd);
  enum class Stack { Default, Large };

  /// Runs `work` on a new thread and posts its result under `id`. Compilers need a large stack.
  void run(double id, std::function<double()> work, Stack stack = Stack::Default);

  /// Keeps the event loop open while JavaScript waits for completions. JavaScript thread only.
  void hold(bool waiting);
  /// Returns the text of the i-th completion of the current batch. JavaScript thread only.
  const std::string& text(size_t i) const { return batch_.at(i).text; }

  /// Closes the channel: nothing reaches JavaScript afterwards. Called by the environment's cleanup hook.
  void close();
  /// Drops a reference to V8's memory. V8 needs its engine to free it, so it is leaked once the engine has ended.
  void dropPin(std::shared_ptr<void> pin);
  /// Notes that the engine may end at any time. The last step of the environment's cleanup hook.
  void engineEnds();
  /// Waits until no job runs, for at most `milliseconds`. Returns whether none runs.
  bool waitForJobs(int milliseconds);

 private:
  static void wake(Napi::Env env, Napi::Function settle, Channel* channel, void*);
  void deliver(Napi::Env env, Napi::Function settle);

  std::mutex mutex_;
  std::condition_variable idle_;
  std::vector<Completion> completed_;
  std::vector<Completion> batch_;
  Napi::Env env_;
  Napi::TypedThreadSafeFunction<Channel, void, wake> function_;
  double* block_;
  size_t capacity_;
  int jobs_ = 0;
  bool open_ = true;
  const std::shared_ptr<Waiters> waiters_ = std::make_shared<Waiters>();
  std::mutex engineMutex_;
  bool engineAlive_ = true;
};

}  // namespace cl
