// Threads that wait for events, for drivers that are slow to call back.
//
// NVIDIA's driver calls back within 60 µs for a command of 50 µs, but up to 20 ms late for one that takes longer: its
// thread looks at events now and then. A thread of ours that waits in the driver hears of them at once. There is one
// for each queue with events to wait for, since a queue ends its commands in order; it ends when it has had nothing to
// do for a while.
//
// Events that no queue has, user events, are left to callbacks, and so is what nobody awaits. A thread touches nothing
// but its events, which are retained: with a reference to the queue that it flushed and gave back, NVIDIA's driver
// ended the process where queues and contexts were released meanwhile. Nothing waits for the threads: at the end of the
// process commands have been waited for, a bounded time.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "loader.h"

namespace cl {

class Waiters : public std::enable_shared_from_this<Waiters> {
 public:
  Waiters();

  /// Calls `ended` on another thread when the event has, with its status. False if callbacks are better, or there is no
  /// thread left; then `ended` is not called.
  bool wait(const Runtime& runtime, cl_event event, std::function<void(cl_int)> ended);

 private:
  struct Wait {
    const Runtime& runtime;
    cl_event event;
    std::function<void(cl_int)> ended;
  };
  struct Line {
    std::deque<Wait> waits;
    std::condition_variable filled;
  };

  bool isSlow(const Runtime& runtime, cl_command_queue queue);
  void work(cl_command_queue queue);

  enum class When { Slow, Always, Never } when_;
  std::mutex mutex_;
  std::unordered_map<cl_command_queue, std::shared_ptr<Line>> lines_;
  /// A queue's address may come to name another; then the wrong one of two right ways is taken.
  std::unordered_map<cl_command_queue, bool> slow_;
};

}  // namespace cl
