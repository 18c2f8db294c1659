// The one way by which anything that finished elsewhere reaches JavaScript.
//
// Driver callbacks and our own threads (waiters.h) append to a list under a mutex and wake the loop once per batch,
// through one thread-safe function per environment. JavaScript gets the batch in a shared block of memory and settles
// its promises.
//
// Threading rules:
//  - The channel is held by shared_ptr from the environment and from every pending callback, so that a driver that
//    calls back late, even after the environment is gone, finds a closed channel and not freed memory.
//  - The thread-safe function is used only under the mutex and only while the channel is open. It is released from the
//    environment's cleanup hook, which is registered after it was made and so runs before its own teardown.
//  - It holds the event loop open only while JavaScript waits (hold), never by itself.
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

class Channel : public std::enable_shared_from_this<Channel> {
 public:
  /// One finished thing: the number JavaScript gave it, and a status (an event's, or a job's result).
  struct Completion {
    double id;
    double status;
    std::string text;
  };

  /// `settle(count)` is called on the JavaScript thread with `count` id/status pairs in the block; texts come by
  /// text().
  Channel(Napi::Env env, Napi::Function settle, double* block, size_t capacity);

  /// From any thread.
  void post(Completion completion);
  /// Calls back with `id` when the event reaches `stage`, or fails. `pin` lives until then.
  void watch(const Runtime& runtime, cl_event event, cl_int stage, double id, std::shared_ptr<void> pin);
  enum class Stack { Default, Large };

  /// Runs `work` on a thread of its own; its result is posted under `id`. Compilers need a large stack.
  void run(double id, std::function<double()> work, Stack stack = Stack::Default);

  /// On the JavaScript thread: whether it waits for completions, which keeps the loop open.
  void hold(bool waiting);
  /// The text of the i-th completion of the batch that settle() was called with.
  const std::string& text(size_t i) const { return batch_.at(i).text; }

  /// From the environment's cleanup hook. Nothing reaches JavaScript afterwards.
  void close();
  /// Lets go of memory of V8's, from any thread. V8 frees it with what its engine owns, so once the engine has ended it
  /// is leaked instead.
  void dropPin(std::shared_ptr<void> pin);
  /// The last thing in the environment's cleanup hook: the engine may end at any time from now on.
  void engineEnds();
  /// Waits until no job runs, at most `milliseconds`. True if none does.
  bool waitForJobs(int milliseconds);

 private:
  static void wake(Napi::Env env, Napi::Function settle, Channel* channel, void*);
  void deliver(Napi::Env env, Napi::Function settle);

  std::mutex mutex_;
  std::condition_variable idle_;
  std::vector<Completion> done_;
  std::vector<Completion> batch_;
  Napi::Env env_;
  Napi::TypedThreadSafeFunction<Channel, void, wake> function_;
  double* block_;
  size_t capacity_;
  int jobs_ = 0;
  bool open_ = true;
  const std::shared_ptr<Waiters> waiters_ = std::make_shared<Waiters>();
  std::mutex engineMutex_;
  bool engineLives_ = true;
};

}  // namespace cl
