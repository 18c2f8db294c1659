// Threads that learn of the end of events without callbacks.
//
// NVIDIA's driver (580) must not call back. While a callback is due, a thread that enqueues a small transfer spins in
// the driver with a lock that the callback needs: of 36 processes that did both, 29 hung within 1,500 rounds, and none
// of 12 in which threads of ours waited instead. It also calls back up to 20 ms late for commands that take longer than
// 50 µs.
//
// There is one thread for each queue with events to wait for, since a queue ends its commands in order; it waits in the
// driver. One more thread asks again and again for the status of all other events: user events, which no queue has, and
// those of which an earlier stage than the end is wanted. A thread that has had nothing to do for a while ends.
//
// A thread touches nothing but its events, which are retained: with a reference to the queue that it flushed and gave
// back, NVIDIA's driver ended the process where queues and contexts were released meanwhile. Nothing waits for the
// threads: at the end of the process commands have been waited for, a bounded time.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "driver/loader.h"

namespace cl {

class Waiters : public std::enable_shared_from_this<Waiters> {
 public:
  Waiters();

  enum class Told { Nobody, JavaScript };

  /// Calls `ended` on another thread when the event reaches the stage or fails, with its status. False if callbacks are
  /// better, or there is no thread left; then `ended` is not called.
  bool wait(const Runtime& runtime, cl_event event, cl_int stage, Told told, std::function<void(cl_int)> ended);

  /// The process may end at any time from now on, and the driver must not be called while it does. What has ended is
  /// told first.
  void stopAsking();

 private:
  struct Wait {
    const Runtime* runtime;
    cl_event event;
    cl_int stage;
    std::function<void(cl_int)> ended;
  };
  struct Line {
    std::deque<Wait> waits;
    std::condition_variable filled;
  };

  bool add(cl_command_queue queue, Wait wait);
  void waitInDriver(Line& line, std::unique_lock<std::mutex>& lock);
  void ask(Line& line, std::unique_lock<std::mutex>& lock);

  enum class When { Needed, Always, Never } when_;
  std::mutex mutex_;
  std::condition_variable threadEnded_;
  bool stopped_ = false;
  /// Under null, the events whose status is asked for.
  std::unordered_map<cl_command_queue, std::shared_ptr<Line>> lines_;
};

}  // namespace cl
